/**
 * The page's domain types; imports nothing that runs.
 *
 * @import { Tree } from "./lib/dom.js"
 *
 * @typedef {Record<string, any>} Json A JSON object; boards hold no null.
 * @typedef {{height: number, hash: string, time: number}} Block `time` in seconds since 1970.
 * @typedef {{seq: number, name: string, args: Json, block: number, hash: string, tx: string, time: number}} ChainEvent
 * @typedef {{seq: number, block: Block, board: Json, recentBoards: Map<number, Json>}} Entry
 *   A board that is followed: after event `seq`, with the boards of the latest events by their number.
 *
 * @typedef {{name: string, label: string, kind: string, minimum: number, maximum: number, default: any,
 *   options: {value: number, label: string}[], token: string}} Input
 *   `kind`: see indexer/gamekit/game.py, Input.
 * @typedef {{base: number, each?: number, of?: string, usual?: number, words?: number}} Gas `usual`: in the mean of a match; 0: not measured. `words`: of call data where arguments are long; else 0.
 * @typedef {{amount: string, token: string}} Deposit What a call deposits: names of an input, or else of the board's field.
 * @typedef {{name: string, signature: string, opens: boolean, label: string, inputs: Input[], gas: Gas, pays?: Deposit|null, secret?: boolean}} Action
 *   `opens`: it opens a match, and plays in none. `secret`: its arguments are known to its player alone until it is sent.
 * @typedef {{address: string, firstBlock: number, firstMatch: number, endMatch?: number}} Deployment
 * @typedef {{slug: string, title: string, layout: string, start?: Json, address: string, abi?: readonly any[], abiHash: string, firstBlock: number,
 *   deployments: Deployment[], companions?: Companion[], actions: Action[], presets?: number[]}} GameInfo `start`: the board before a match is opened. `presets`: seconds for a move for which players are paired, the longest last. `abi`: not there before the game is loaded.
 * @typedef {{name: string, address: string, codeHash: string}} Companion A contract that the game's players can name; keccak256 of its code.
 * @typedef {{match: string, game: string, id: number, seq: number, status: string, ply: number, players: string[],
 *   opponent?: string, mover?: string, winner?: string, reason?: string, clock?: number, stake?: string, token?: string, rate?: string, created: number, time: number, block?: Block,
 *   morePlayers?: number, attended?: boolean, live?: boolean, seatCount?: number, invited?: Record<string, string>}} Summary `opponent`: who was invited; absent: anyone. `mover`: who is to move; absent: nobody, or any player may.
 *   `winner`, `reason`: how it ended, as its board says it; without a winner nobody has won. `clock`: seconds for a move, 0: any time. `stake`: of each, in wei or the token's units; `rate`: how much of it streams back a second. The lobby's have no `block`, and of
 *   many players the first ones: `morePlayers` counts the others. `attended`: whether the opener of an open one looks on. `live`: somebody plays there now.
 * @typedef {{chainId: number, genesis: string, nodeHead: number|null, indexedHead: number|null,
 *   lag: {blocks: number, seconds: number}, state: string, development: boolean, sponsor: boolean, finalHead?: number|null, coin?: string, rate?: {currency: string, price: number}|null, tellCostsAbove?: number}} Health `coin`: what fees are paid in; `rate`: what one is worth; no cost below `tellCostsAbove` is shown. `finalHead`: the last block that can't go any more,
 *   where the server knows it.
 *
 * @typedef {object} HistorySource Where the events and boards of one match come from: the server, or a file. Events are numbered from 1.
 * @property {() => number} last the number of the latest event
 * @property {(seq: number) => ChainEvent|undefined} event undefined: not there yet
 * @property {(seq: number) => Json|undefined} board after that event; undefined: not there yet
 * @property {(seq: number) => Promise<void>} load Makes event and board of a number there, with those near it. Throws Offline or Problem.
 * @property {(seq: number) => ChainEvent[]} eventsAround the events around a number that are there, in order
 * @property {() => void} forget what was there may be wrong now
 *
 * @typedef {{seq: number, event: ChainEvent, board: Json, orphan?: OrphanedEvent}} Playhead What one looks back at: the board after an event.
 * @typedef {ChainEvent & {match: string, board?: Json}} OrphanedEvent An event that this page saw and a reorg took back; `board`: as it was
 *   after it, while the page has room for it.
 *
 * @typedef {object} UiState What is on the way to be pressed, shown and copied in a page. `pointed`: -1 for no cell.
 * @property {number} selected @property {number} pointed @property {string} copied @property {boolean} older earlier moves are being loaded
 * @property {Json} typed @property {string} nameCard the account whose name was pressed @property {I18nText|null} petnameTrouble
 * @property {string} [openTimeline] the match whose time line was opened while it is played @property {string} [closedEnd] the match whose end was read and closed
 *
 * @typedef {{game: string, name: string, strength: number, accounts: {address: string, rating: number|null, rivals: number}[]}} Opponent A computer player;
 *   `strength`: from 1, the weakest.
 *
 * @typedef {{key: string, args?: Json}} I18nText A text of the page or of a game, not yet in a language.
 * @typedef {I18nText & {tone?: "act"|"wait"|"alarm"|"won"|"lost"|"drawn", ticks?: boolean}} TurnText `act`: who looks can do something. `ticks`: it has a
 *   running clock, which no screen reader shall read each second.
 * @typedef {{sentence: I18nText, small: string}} Reason Why something was refused: for a person, and as the contract says it.
 *
 * @typedef {{address: string, kind: "browser"|"development"|"injected"|"session", name: string, givenName?: string, key?: string,
 *   backedUp?: boolean, provider?: any, usesThisServer?: boolean, trouble?: I18nText}} Account `givenName`: by its player; `usesThisServer`: this
 *   page set its wallet's network up, which leads to this server; `trouble`: why its wallet can't be asked now.
 * @typedef {{maxFeePerGas: bigint, maxPriorityFeePerGas: bigint}} Fees In wei a unit of gas.
 * @typedef {"waiting"|"simulated"|"signed"|"sent"|"mined"|"final"|"failed"|"refused"|"replaced"|"dropped"|"retracted"|"cancelled"} TxState
 *   See chain/tx/states.js.
 * @typedef {{id: string, chain: string, tab: string, at: number, account: string, seat?: string, to: string, data: string, value: bigint,
 *   gasCap: bigint, match: string, action: string, game: string, cell?: number, state: TxState, hashes: string[], nonce?: number,
 *   raw?: string, gas?: bigint, fees?: Fees, limit?: bigint, sentAt?: number, raises?: number, stuck?: boolean,
 *   cancel?: string, cancelRaw?: string, block?: number, blockHash?: string, reason?: Reason, opened?: string, since?: number, settled?: boolean}} Tx
 *   `account` sends and pays; `seat`: the account it acts for, when that is another. `chain`: chain id and genesis. `tab`: who sends
 *   it. `at`, `since`: milliseconds since 1970, of the click and of when it went. `cell`: that was pressed for it. `hashes`: of all
 *   that was signed for it with one nonce, each for more than the one before. `limit`: the most that `fees` may become. `value` in
 *   wei. `sentAt`: the chain's height. `stuck`: it costs more than its limit. `cancel`: hash of what shall take its nonce.
 *   `settled`: nothing more is looked for.
 *
 * @typedef {{id: string, cell: number, colour: number, shape: number, label: string, mine: boolean, sunk: boolean,
 *   selected: boolean, pending: boolean, size?: number, faces?: Faces, text?: string}} Piece
 *   `colour` 0 to 7, `shape` of layouts/shapes.js; `size`: its radius as a part of the cell's side, else as large as a piece is. With `faces` it
 *   is a cube, on boards of SVG; `mine`: that can be moved now. `text`: what a terminal writes for it.
 * @typedef {{up: string, front: string, right: string, back: string, left: string}} Faces Symbols of layouts/shapes.js; `front` is at the board's upper edge.
 * @typedef {{cell: number, kind: string, shape?: string, over?: boolean, text?: string, from?: number}} Mark `from`: the cell from which a shot came, where it is known.
 *   A field's colour is `--field-<kind>`, a mark's `--mark-<kind>`: custom properties of the game's own style sheet; one that it
 *   lacks is a colour of the theme. A field's `shape` may be `dot`, or `corner`, which marks a corner instead of the whole cell; a mark's `burst`, `cross`, `dot` or `splash`, which it is when
 *   nothing is said; or a symbol of layouts/shapes.js, of a field as well. A mark may be `over` the pieces. `text`: what a terminal writes for a field.
 * @typedef {{from: number, to: number, kind: string, over?: boolean, hollow?: boolean, hull?: boolean, label?: string, short?: string, press?: number}} Line Its colour is `--line-<kind>`; `over` the pieces; `hollow`: only
 *   its outline, on boards of SVG. `hull`: a boat, with a porthole on each cell. On a map it is an arrow with a `label`, on a small one a `short` one; a press on it is one of the cell `press`, which may lie beyond the board.
 * @typedef {{id: string, cells: number[], sector: number, regions: Region[]}} RegionMap What the layout "map" draws. `cells`: the region of each cell; 128 and more:
 *   water. `id` differs when they do. `sector`: cells between two coordinates at the edge.
 * @typedef {{cell: number, ground: string, texture: string, colour: number, shape: number, label: string, note: string, signs: string[], ports: number[], marks: string[]}} Region
 *   A land of a map. `cell`: where its label is. Its colour is `--region-<ground>` while it is nobody's (`colour` -1), else its owner's. `texture` and `signs` of
 *   layouts/map/signs.js. `note`: a second number, smaller. `ports`: the cells of water on which they stand. `marks`: how it is outlined, each `--region-<mark>`.
 * @typedef {{width: number, height: number, pieces: Piece[], fields: Mark[], marks: Mark[], lines: Line[], stamp: string,
 *   title?: string, waiting?: number[], parts?: Picture[], map?: RegionMap, columns?: string, turned?: boolean, surface?: string, leaving?: {id: string, cell: number}[], empty?: string, won?: boolean}} Picture What a game hands to a layout. `stamp` differs whenever the
 *   marks are of another move. `waiting` are cells whose move is under way: those that were pressed, unless the game says itself where it
 *   lands. `columns`: their names, a letter each, where they are not A, B, … `turned`: drawn from the other side, by the layout "grid" only; cells keep their numbers. `surface`: `sea` has waves, on boards of SVG. `leaving`: pieces that left the board with the last move, and
 *   the cells where they went. `empty`: what a terminal writes for an empty cell. `parts`: the boards of a picture of several, of which only the layout that draws it knows where they stand; their
 *   cells are numbered on, each part's after those of the part before.
 *
 * @typedef {{state: Json, change: () => void}} Draft What a player is preparing: kept in memory for the game, the match and the
 *   account. `change` redraws.
 * @typedef {{match: string, board: Json, me: string, ownAccounts: Set<string>, selected: number, head: Block|null, now: number,
 *   pending: Tx[], draft: Draft, formatAmount: (amount: bigint, token?: string) => string, opponents?: Opponent[], companions?: Companion[], events?: ChainEvent[], seq?: number, latestBoard?: Json|null, viewAs?: string, finality?: () => FinalityResult, sent?: () => Tx[]}} RenderContext What a game may look at when it draws: the board, of now or of any
 *   moment before, and who looks at it, "" when nobody does (a replay). Before a match is
 *   opened `match` is "" and the board is empty. `now`: seconds since 1970, as the chain counts them. `formatAmount`: an amount of a
 *   token, or of ether, in words. `opponents`: the game’s computer players, the weakest first; `companions`: the contracts that its players can name. `events`: those that are known, also later ones than `seq`, the number of the one that led to the board. When
 *   one looks back, `latestBoard` is the one of now, and `viewAs` who looks though that account took part later only. `finality`: of the latest board, where a chain is behind it. `sent`: what this browser's journal has
 *   sent to this match's contract for the account that looks, its opening included, also if nothing came of it.
 * @typedef {{state: "server"|"asking"|"final"|"recent"|"differs"|"unanswered", why?: I18nText}} FinalityResult What the player's own node or wallet
 *   says of the latest board. `server`: nobody but this server can be asked. `final`: its contract says the same, and no reorg takes it
 *   back. `recent`: the same, but a reorg may.
 * @typedef {{action: string, args: Json}} Move What is to be sent: the kind of an action and ABI arguments by name.
 * @typedef {{number: number, alive: boolean, id?: string}} Unit A piece that the list of players shows.
 * @typedef {{rating: number, rivals: number}} Rating A player's rating (Elo) in a game, from matches with so many rivals.
 * @typedef {{address: string, seat: number, alive: boolean, units?: Unit[], note?: string, stream?: Stream}} Seat `note`: a few words beside the name.
 * @typedef {{amount: bigint, rate: bigint, since: number, cap: bigint, token?: string, key?: string}} Stream An amount that grows with the chain's time: `rate` a second
 *   from `since` (seconds since 1970; 0: it stands still), up to `cap`. `key`: of the text that tells `{amount}`, and `{cap}`.
 * @typedef {{text: string, tone: string, minor?: boolean}} Sentence `minor`: folded when there are many.
 *
 * @typedef {{tree: Tree, open: boolean, visible: boolean, declineLabel: string}} Question `open`: it needs no press to be asked. `visible`: it is seen before that press.
 *   `declineLabel`: of the other button.
 *
 * @typedef {{board: Json, caption: string}} RuleBoard An example board; `caption`: the key of the text below it.
 * @typedef {{me: string, board: Json, latest?: Json, steps: {press: number[], action: string, boards: Json[]}[]}} Tutorial What the page plays without a chain, as the rules in
 *   Python wrote it. `me`: who learns. `latest`: a board after it, of which the renderer may know. A step: the cells to press, one after the other, then the kind of an action whose button is
 *   pressed, or ""; the boards that follow, the last one with the other's answer.
 *
 * @typedef {object} Renderer What games/<slug>/renderer.js exports; all of it pure but for `prepare` and what is said at `args`.
 * @property {{kind: string, most: number, why: (context: RenderContext, before: {board: Json, seq: number}) => I18nText|null, passing: string[], harmless: string[]}} [repeats]
 *   The kind of action, without inputs, that the page repeats after a press, at `most` so often, until `why` says why not; `before`: the board at the press. `passing`: the
 *   reasons against the next one that pass by themselves; `harmless`: the refusals after which the next one is sent.
 * @property {RuleBoard[]} [rules] Boards of its page of rules, `#/rules/<slug>`, whose sentences are the texts `rules.line-1` to `rules.line-3`.
 * @property {boolean} [hasTutorial] Whether there is a tutorial.json beside it: `#/learn/<slug>`, whose sentences are the texts `learn.1` to `learn.3` and `learn.end`.
 * @property {(context: RenderContext) => Picture} picture
 * @property {(action: Action) => string} [kindOf] The action's name in ids, texts and transactions; distinguishes overloads.
 * @property {string} [closeAction] The name of the action by which the opener of a match for which nobody has come closes it.
 * @property {string} joinAction The name of the action by which an account takes part; the kinds of its overloads begin with it.
 * @property {number} [joinCount] How often a player sends it who joins by *Play*; else once.
 * @property {(ply: number) => number} [moveCount] How many moves the lobby counts.
 * @property {(board: Json, me?: string) => Seat[]} seats `me`: who looks, for what only the own seat may tell.
 * @property {(seat: number) => {colour: number, shape: number}} [badge] A seat's own colour and shape.
 * @property {(board: Json, before: Json) => number[]} [voices] The seats, 0 to 5, whose own sound is played when `board` follows `before`, in this order.
 * @property {(board: Json, me: string, context?: RenderContext) => TurnText} turnText The one line of a match: what `me`, who looks, can do now, else whose turn it is or how it
 *   ended. Without `context`, in pictures and in the past, nobody can do anything. games/shared/turn-text.js has what games say alike.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [why] Why the contract would refuse; null: it would not.
 *   Without it the page simulates what is offered and what is pressed, and says the contract's error (app/refusals.js): for games whose actions are
 *   no secrets. `values`: what is typed, as it is typed, and the arguments of a move. The page has looked already whether the match is
 *   there and not over, and whether anything can be sent; it looks after this whether what is typed fits and can be paid.
 *   games/shared/duel.js has what games for two check alike, with the list of players. A text `why.<name>` of the page is said as
 *   `<slug>.why.<name>` by a game that has one.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [whyTyped] Why what is typed does not go together, each value being
 *   valid; `values`: as the contract gets them.
 * @property {(context: RenderContext, action: Action) => boolean} isOffered Whether it has a button. What a press on the board does needs none.
 *   `claimTimeout` is shown by the page: when the deadline has passed.
 * @property {string} [rematchAction] The kind by which the contract itself repeats a match that is over; else a rematch is an invitation with the same settings.
 * @property {string[]} [opensAnother] The kinds by which the contract opens another match before the end. Neither they nor `rematchAction` are offered once new matches open by a newer contract.
 * @property {(board: Json) => Json} [settingsOf] What one would type for another match like it, by input, where the board does not have it by that name.
 * @property {(board: Json, me: string, opponents: Opponent[]) => Json} [rematchDraft] What the form of another match like it begins with.
 * @property {string[]} [afterEnd] The kinds of actions that belong to a match that is over.
 * @property {string[]} [anyTime] Those that can be sent before the end and after it.
 * @property {string[]} [accountOnly] The kinds that only the account itself may send, no session key: beside what deposits something,
 *   which the page knows.
 * @property {string[]} [needsSecondPress] The kinds whose button needs a second press.
 * @property {(context: RenderContext, kind: string) => Question|null} [questionBefore] What is asked before such an action is sent, in the button's place; its inputs
 *   are part of it. A question that is open already wants one press.
 * @property {(context: RenderContext) => boolean} [hasSecret] Whether there is something to see that only `context.me` may see; it is not there when `context.me` is "".
 * @property {(context: RenderContext) => void} [prepare] Called before a drawing in which the player may take part, with "" as `match` before one is opened: for
 *   what the player's draft begins with, and for what can be found out by trying only. Drawing itself changes nothing.
 * @property {(context: RenderContext) => boolean} [wantsFinality] Whether the page shall find out the `finality` of the latest board.
 * @property {(context: RenderContext) => boolean} [awaitsPlayer] Whether the page waits for the word of its player, also in a match that is not shown.
 * @property {(context: RenderContext, kind: string) => {label?: I18nText, hint?: I18nText, twice?: boolean, brief?: boolean}} [buttonText] What a button, and the line below it, say on this board
 *   instead of `action.<kind>` and `hint.<kind>`; `twice`: it needs a second press now; `brief`: of what it sent
 *   nothing is said any more once that is in a block.
 * @property {(context: RenderContext, kind: string, input: string) => boolean} [hasInput] Whether an input of an action is there on this board; else all are.
 * @property {(context: RenderContext, kind: string, input: string, value: number, words: string) => string} [optionText] What an option of a choice says on this board, `words` at other times.
 * @property {(context: RenderContext) => string} [turnNote] A few more words below the one line.
 * @property {string[]} [secondary] The kinds that are never the one loud button; those above never are.
 * @property {(context: RenderContext, cell: number) => Move|null} [press] What a click or Enter on a cell asks for. The page asks `why`, or the
 *   contract, first, and tells the refusal at the board.
 * @property {string} [pressAction] The action that such a press sends, where it sends one: its cost is told before it.
 * @property {(context: RenderContext, cell: number) => number} [select] The piece that it selects when it asks for nothing; 0: none.
 * @property {(context: RenderContext, action: Action, typed: Json) => Json} [args] ABI arguments that the player does not type, by name;
 *   `typed` are those that are known already, as the contract wants them. Of an action that is `secret` called only when it is sent: there secrets may be kept.
 * @property {(context: RenderContext, action: Action, prefix: string) => Tree|null} [form] A game's own inputs of an action, above the buttons, which keep what
 *   is given in `context.draft`; ids in it begin with `prefix`.
 * @property {boolean} [hasNewMatchPage] Whether its opening action has such a form; the page gives it a place of its own, `#/new/<slug>`.
 * @property {boolean} [isSlow] Whether its picture takes long to make: the lobby draws it when it is idle, after all that can be pressed.
 * @property {(context: RenderContext) => Move|null} [autoMove] What the page sends by itself for the account `context.me`, which plays: asked after
 *   each change of a board and once a second, also in matches that are not shown; sent once for a match, ply, account and kind.
 * @property {(context: RenderContext) => Tree|null} [notices] What a player must know, above the actions.
 * @property {(context: RenderContext) => Tree|null} [endSummary] What there is to see below a board at the end.
 * @property {(event: ChainEvent, board: Json, events: ChainEvent[], me?: string) => Sentence[]} sentences `events`: that came in the same transaction; `me` looks.
 * @property {(context: RenderContext, cell: number) => string} describe
 * @property {(context: RenderContext, cell: number) => Tree|null} [inspect] What stands on a cell, more closely: beside it while it is pointed at.
 * @property {(contractView: Json) => Json} [fromContract] The contract's `board(matchId)`, an object by the names of its struct, in the shape that `fromBoard` gives
 *   a board: the twins of the reducer's own pair. Integers of more than 48 bits are decimal text.
 *   games/shared/contract-view.js has what games share of it. Without these two the page compares the number of events alone with the contract.
 * @property {(board: Json) => Json} [fromBoard] The fields of a board that the contract's view has as well.
 * @property {(context: RenderContext) => I18nText[]} [legend] What the fields' kinds mean now; a key's last word is the kind.
 *
 * @typedef {object} BoardInput A board's input events for the page. -1: no cell.
 * @property {(cell: number) => void} press
 * @property {(cell: number) => string} describe
 * @property {(cell: number) => void} point under the pointer or cursor
 * @property {(cell: number) => Tree|null} inspect what stands there, more closely
 *
 * @typedef {object} Layout An instance of the class that layouts/<layout>.js exports by default: `new (host, hand, {still})`. The
 *   class has `drawing(picture)`: the picture as it is printed, for stills and exports, which needs no document. It may have
 *   `ratio(picture)`: width over height of the whole, where that is not the picture's own.
 * @property {(picture: Picture) => void} show
 * @property {() => void} stop
 *
 * @typedef {{trees: Tree[], width: number, height: number}} Drawing Of SVG, in CSS pixels.
 */

export {};
