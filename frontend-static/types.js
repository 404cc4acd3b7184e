/**
 * What the page is about. Types only; imports nothing.
 *
 * @typedef {Record<string, any>} Json A JSON object; boards hold no null.
 * @typedef {{height: number, hash: string, time: number}} Block `time` in seconds since 1970.
 * @typedef {{seq: number, name: string, args: Json, block: number, hash: string, tx: string, time: number}} ChainEvent
 * @typedef {{seq: number, block: Block, board: Json, history: Map<number, Json>}} Entry
 *   A board that is followed: after event `seq`, with the boards of the latest events by their number.
 *
 * @typedef {{name: string, label: string, kind: string, minimum: number, maximum: number, default: any}} Input
 * @typedef {{base: number, each?: number, of?: string}} Gas
 * @typedef {{name: string, signature: string, label: string, inputs: Input[], gas: Gas}} Action
 * @typedef {{address: string, firstBlock: number, firstMatch: number, endMatch?: number}} Deployment
 * @typedef {{slug: string, title: string, layout: string, address: string, abi: any[], firstBlock: number,
 *   deployments: Deployment[], actions: Action[]}} GameInfo
 * @typedef {{match: string, game: string, id: number, seq: number, status: string, ply: number, players: string[],
 *   created: number, time: number, block: Block}} Summary
 * @typedef {{chainId: number, genesis: string, nodeHead: number|null, indexedHead: number|null,
 *   lag: {blocks: number, seconds: number}, state: string, detail: string, development: boolean}} Health
 *
 * @typedef {{key: string, args?: Json}} Phrase A text of the page or of a game, not yet in a language.
 * @typedef {{sentence: Phrase, small: string}} Reason Why something was refused: for a person, and as the contract says it.
 *
 * @typedef {{address: string, kind: "browser"|"development"|"injected", name: string, key?: string, provider?: any}} Account
 * @typedef {"waiting"|"simulated"|"signed"|"sent"|"mined"|"failed"|"refused"} TxState
 * @typedef {{id: number, account: string, to: string, data: string, gasCap: bigint, match: string, action: string,
 *   game: string, state: TxState, nonce?: number, hash?: string, raw?: string, block?: number, reason?: Reason, opened?: string,
 *   at: number}} Tx
 *
 * @typedef {{id: string, cell: number, colour: number, shape: number, label: string, mine: boolean, sunk: boolean,
 *   selected: boolean, pending: boolean}} Piece
 * @typedef {{cell: number, kind: string}} Mark
 * @typedef {{from: number, to: number, kind: string}} Line
 * @typedef {{width: number, height: number, pieces: Piece[], fields: Mark[], marks: Mark[], lines: Line[],
 *   stamp: string}} Picture What a game hands to a layout. `stamp` differs whenever the marks are of another move.
 *
 * @typedef {{match: string, board: Json, me: string, mine: Set<string>, selected: number, head: Block|null, now: number,
 *   pending: Tx[]}} View What a game may look at when it draws: the board and who looks at it.
 * @typedef {{number: number, alive: boolean}} Unit A piece that the list of players shows.
 * @typedef {{address: string, seat: number, alive: boolean, units: Unit[]}} Seat
 * @typedef {{text: string, tone: string, minor?: boolean}} Sentence `minor`: folded when there are many.
 *
 * @typedef {object} Renderer What games/<slug>.js exports; all of it pure.
 * @property {Record<string, Record<string, string>>} words Its texts, a table per language; each key begins with the slug.
 * @property {(view: View) => Picture} picture
 * @property {(action: Action) => string} kindOf The action's name in ids, texts and transactions; tells overloads apart.
 * @property {string} join The name of the action by which an account takes part; the kinds of its overloads begin with it.
 * @property {(ply: number) => number} moves How many moves the lobby counts.
 * @property {(board: Json) => Seat[]} seats
 * @property {(board: Json) => Phrase} whose
 * @property {(view: View, action: Action) => Phrase|null} why Why the contract would refuse; null: it would not.
 * @property {(view: View, action: Action) => boolean} shown
 * @property {(name: string, board: Json) => any} fill The value of an argument that the player does not type.
 * @property {(event: ChainEvent, board: Json, events: ChainEvent[]) => Sentence[]} sentences
 * @property {(view: View, cell: number) => string} describe
 * @property {(view: View, cell: number) => number} select
 * @property {(view: View) => Phrase[]} legend
 */

export {};
