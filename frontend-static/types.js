/**
 * The types that the page's modules share. This module contains no code.
 *
 * @import { Tree } from "./lib/dom.js"
 *
 * @typedef {Record<string, any>} Json A JSON object. Boards contain no null.
 * @typedef {{height: number, hash: string, time: number}} Block `time`: seconds since 1970.
 * @typedef {{seq: number, name: string, args: Json, block: number, hash: string, tx: string, time: number}} ChainEvent
 * @typedef {{seq: number, block: Block, board: Json, recentBoards: Map<number, Json>}} Entry
 *   A board that the page follows: the board after event `seq`, and the boards after the latest
 *   events, by event number.
 *
 * @typedef {{name: string, label: string, kind: string, minimum: number, maximum: number, default: any,
 *   options: {value: number, label: string}[], token: string}} Input `kind`: see Input in indexer/gamekit/game.py.
 * @typedef {{base: number, each?: number, of?: string, usual?: number, words?: number}} Gas
 *   `usual`: the average in a match; 0 if it wasn't measured. `words`: the number of words of call
 *   data if the arguments are long; otherwise 0.
 * @typedef {{amount: string, token: string}} Deposit The deposit that a call makes. Each text names
 *   an input or, if the call has no such input, a field of the board.
 * @typedef {{name: string, signature: string, opens: boolean, label: string, inputs: Input[], gas: Gas, pays?: Deposit|null, secret?: boolean}} Action
 *   `opens`: the action opens a match. `secret`: only the player knows the arguments until the
 *   action is sent.
 * @typedef {{address: string, firstBlock: number, firstMatch: number, endMatch?: number}} Deployment
 * @typedef {{slug: string, title: string, layout: string, start?: Json, address: string, abi?: readonly any[], abiHash: string, firstBlock: number,
 *   deployments: Deployment[], companions?: Companion[], actions: Action[], presets?: number[]}} GameInfo
 *   `start`: the board before a match is opened. `presets`: the clocks with which players are
 *   paired, in seconds per move, the longest last. `abi`: undefined until the game is loaded.
 * @typedef {{name: string, address: string, codeHash: string}} Companion A contract that the game's
 *   players can name. `codeHash`: the keccak256 hash of its code.
 * @typedef {{match: string, game: string, id: number, seq: number, status: string, ply: number, players: string[],
 *   opponent?: string, mover?: string, winner?: string, reason?: string, clock?: number, stake?: string, token?: string, rate?: string, created: number, time: number, block?: Block,
 *   morePlayers?: number, attended?: boolean, live?: boolean, seatCount?: number, invited?: Record<string, string>}} Summary
 *   `opponent`: the invited player; absent if anyone may join. `mover`: the player to move; absent
 *   if nobody or any player may move. `winner`, `reason`: the result as on the board; without
 *   `winner`, nobody has won. `clock`: seconds per move, 0 for no limit. `stake`: each player's
 *   stake, in wei or in the token's units. `rate`: the part of the stake that streams back per
 *   second. Summaries in the lobby have no `block`. If there are many players, a summary in the
 *   lobby lists only the first; `morePlayers` is the number of the other players. `attended`: true
 *   if the opener of an open match is watching. `live`: true if somebody is playing now.
 * @typedef {{chainId: number, genesis: string, nodeHead: number|null, indexedHead: number|null,
 *   lag: {blocks: number, seconds: number}, state: string, development: boolean, sponsor: boolean, finalHead?: number|null, coin?: string, rate?: {currency: string, price: number}|null, tellCostsAbove?: number}} Health
 *   `coin`: the coin that pays fees. `rate`: the price of one coin. Costs below `tellCostsAbove`
 *   are not shown. `finalHead`: the height of the latest final block, if the server knows it.
 *
 * @typedef {object} HistorySource The source of a match's events and boards: the server, or a file.
 *   Events are numbered from 1.
 * @property {() => number} last returns the number of the latest event
 * @property {(seq: number) => ChainEvent|undefined} event returns an event, or undefined if it is not loaded yet
 * @property {(seq: number) => Json|undefined} board returns the board after an event, or undefined if it is not loaded yet
 * @property {(seq: number) => Promise<void>} load Loads an event, its board, and the events and boards near them. Throws Offline or Problem.
 * @property {(seq: number) => ChainEvent[]} eventsAround returns the loaded events around an event, in order
 * @property {() => void} forget drops everything that is loaded, because it might be wrong now
 *
 * @typedef {{seq: number, event: ChainEvent, board: Json, orphan?: OrphanedEvent}} Playhead
 *   A moment in the past: the board after an event.
 * @typedef {ChainEvent & {match: string, board?: Json}} OrphanedEvent An event that this page saw
 *   and that a reorg removed. `board`: the board after the event, as long as the page has space to
 *   store it.
 *
 * @typedef {object} UiState The state of a player's selection and input. `pointed`: the cell under the pointer or cursor, or -1 if there is none.
 * @property {number} selected @property {number} pointed @property {string} copied @property {boolean} older true while earlier moves are being loaded
 * @property {Json} typed @property {string} nameCard the account whose name was pressed
 * @property {I18nText|null} petnameTrouble
 * @property {string} [openTimeline] the match whose timeline the player opened during play
 * @property {string} [closedEnd] the match whose result the player closed
 *
 * @typedef {{game: string, name: string, strength: number, accounts: {address: string, rating: number|null, rivals: number}[]}} Opponent
 *   A computer player. `strength`: 1 for the weakest, and higher for stronger ones.
 *
 * @typedef {{key: string, args?: Json}} I18nText A text of the page or of a game that is not yet translated.
 * @typedef {I18nText & {tone?: "act"|"wait"|"alarm"|"won"|"lost"|"drawn", ticks?: boolean}} TurnText
 *   `act`: the viewer can do something. `ticks`: the text has a running clock, which screen readers
 *   should not read every second.
 * @typedef {{sentence: I18nText, small: string}} Reason The reason for a rejection. `sentence`: the
 *   text for players. `small`: the text as the contract reports it.
 *
 * @typedef {{address: string, kind: "browser"|"development"|"injected"|"session", name: string, givenName?: string, key?: string,
 *   backedUp?: boolean, provider?: any, usesThisServer?: boolean, trouble?: I18nText}} Account
 *   `givenName`: the name that the player gave the account. `usesThisServer`: the wallet's node is
 *   this server, because this page set up the wallet's network. `trouble`: why the wallet can't be
 *   used now.
 * @typedef {{maxFeePerGas: bigint, maxPriorityFeePerGas: bigint}} Fees Both fees are in wei per unit of gas.
 * @typedef {"waiting"|"simulated"|"signed"|"sent"|"mined"|"final"|"failed"|"refused"|"replaced"|"dropped"|"retracted"|"cancelled"} TxState
 *   See chain/tx/states.js.
 * @typedef {{id: string, chain: string, tab: string, at: number, account: string, seat?: string, to: string, data: string, value: bigint,
 *   gasCap: bigint, match: string, action: string, game: string, cell?: number, state: TxState, hashes: string[], nonce?: number,
 *   raw?: string, gas?: bigint, fees?: Fees, limit?: bigint, sentAt?: number, raises?: number, stuck?: boolean,
 *   cancel?: string, cancelRaw?: string, block?: number, blockHash?: string, reason?: Reason, opened?: string, since?: number, settled?: boolean}} Tx
 *   `account` sends and pays. `seat`: the player, if it is a different account. `chain`: chain id
 *   and genesis. `tab`: the tab that sends it. `at`: the time of the click; `since`: the time of
 *   sending; both in milliseconds since 1970. `cell`: the pressed cell. `hashes`: the hashes of all
 *   versions that were signed with its nonce, each paying more than the previous one. `limit`: the
 *   maximum for `fees`. `value`: in wei. `sentAt`: the chain's height when it was last signed or
 *   sent. `stuck`: it would cost more than its limit. `cancel`: the hash of the empty transfer that
 *   cancels it by using its nonce. `settled`: its state is no longer checked.
 *
 * @typedef {{id: string, cell: number, colour: number, shape: number, label: string, mine: boolean, sunk: boolean,
 *   selected: boolean, pending: boolean, size?: number, faces?: Faces, text?: string}} Piece
 *   `colour`: 0 to 7. `shape`: from layouts/shapes.js. `size`: the radius as a fraction of the
 *   cell's side, if it isn't the usual size. `faces`: if present, the piece is drawn as a cube on
 *   SVG boards. `mine`: it can be moved now. `text`: its text in a terminal.
 * @typedef {{up: string, front: string, right: string, back: string, left: string}} Faces
 *   Symbols from layouts/shapes.js. `front` faces the board's upper edge.
 * @typedef {{cell: number, kind: string, shape?: string, over?: boolean, text?: string, from?: number}} Mark
 *   `from`: the cell from which a shot came, if known. A field's colour is the custom property
 *   `--field-<kind>`, and a mark's is `--mark-<kind>`. If the game's style sheet lacks the
 *   property, the theme's is used. A field's `shape` can be `dot`, or `corner`, which marks a
 *   corner instead of the whole cell. A mark's `shape` can be `burst`, `cross`, `dot` or `splash`
 *   (the default). Both can also be a symbol from layouts/shapes.js. `over`: the mark is drawn over
 *   the pieces. `text`: a field's text in a terminal.
 * @typedef {{from: number, to: number, kind: string, over?: boolean, hollow?: boolean, hull?: boolean, label?: string, short?: string, press?: number}} Line
 *   A line's colour is `--line-<kind>`. `over`: the line is drawn over the pieces. `hollow`: on SVG
 *   boards, only the line's outline is drawn. `hull`: the line is a ship with a porthole on each
 *   cell. On a map, the line is an arrow with a `label` or, if the map is small, a `short` label. A
 *   press on the line counts as a press on the cell `press`, which can lie outside the board.
 * @typedef {{id: string, cells: number[], sector: number, regions: Region[]}} RegionMap
 *   The picture of the layout "map". `cells`: the region of each cell; 128 or more for water. `id`
 *   changes whenever `cells` changes. `sector`: the number of cells between two coordinates at the
 *   edge.
 * @typedef {{cell: number, ground: string, texture: string, colour: number, shape: number, label: string, note: string, signs: string[], ports: number[], marks: string[]}} Region
 *   A land of a map. `cell`: the position of its label. A land has its owner's colour or, if nobody
 *   owns it (`colour` is -1), `--region-<ground>`. `texture` and `signs`: from
 *   layouts/map/signs.js. `note`: a second, smaller number. `ports`: the water cells of its ports.
 *   `marks`: its outlines, each in the colour `--region-<mark>`.
 * @typedef {{width: number, height: number, pieces: Piece[], fields: Mark[], marks: Mark[], lines: Line[], stamp: string,
 *   title?: string, waiting?: number[], parts?: Picture[], map?: RegionMap, columns?: string, turned?: boolean, surface?: string, leaving?: {id: string, cell: number}[], empty?: string, won?: boolean}} Picture
 *   The picture that a game passes to a layout. `stamp` changes when the marks belong to a new
 *   move. `waiting`: the cells of pending moves. These are the pressed cells, unless the game sets
 *   the cells where the moves land. `columns`: the columns' names, one letter each, if they aren't
 *   A, B, … `turned`: the layout "grid" draws the board from the opposite side; the cells keep
 *   their numbers. `surface`: `sea` draws waves on SVG boards. `leaving`: pieces that left the
 *   board with the last move, and the cells to which they moved. `empty`: an empty cell's text in a
 *   terminal. `parts`: the boards of a picture with several boards. Only the layout knows their
 *   positions; cells are numbered across the parts.
 *
 * @typedef {{state: Json, change: () => void}} Draft A player's plans, stored in memory per game,
 *   match and account. `change` redraws the page.
 * @typedef {{match: string, board: Json, me: string, ownAccounts: Set<string>, selected: number, head: Block|null, now: number,
 *   pending: Tx[], draft: Draft, formatAmount: (amount: bigint, token?: string) => string, opponents?: Opponent[], companions?: Companion[], events?: ChainEvent[], seq?: number, latestBoard?: Json|null, viewAs?: string, finality?: () => FinalityResult, sent?: () => Tx[]}} RenderContext
 *   The input for drawing a game: the board, now or in the past, and the viewer `me`, which is ""
 *   if there is no viewer, as in a replay. Before a match is opened, `match` is "" and the board is
 *   empty. `now`: the chain's time, in seconds since 1970. `formatAmount`: formats an amount of a
 *   token or of ether. `opponents`: the game's computer players, weakest first. `companions`: the
 *   contracts that players can name. `events`: all known events, including those after `seq`, the
 *   number of the board's event. In the past, `latestBoard` is the current board, and `viewAs` is
 *   the viewer even if that account joined later. `finality`: returns the finality of the latest
 *   board, if there is a chain. `sent`: returns the transactions in this browser's journal from the
 *   viewer to this match's contract, including the opening transaction and failed ones.
 * @typedef {{state: "server"|"asking"|"final"|"recent"|"differs"|"unanswered", why?: I18nText}} FinalityResult
 *   The verdict of the player's own node or wallet on the latest board. `server`: there is only
 *   this server to ask. `final`: the contract agrees, and no reorg can remove the board. `recent`:
 *   the contract agrees, but a reorg can still remove the board.
 * @typedef {{action: string, args: Json}} Move A move to send: the ID of an action, and ABI arguments by name.
 * @typedef {{number: number, alive: boolean, id?: string}} Unit One of a player's units in the list of players. `alive`: it is still in play.
 * @typedef {{rating: number, rivals: number}} Rating A player's rating (Elo) in a game, from
 *   matches against this number of opponents (`rivals`).
 * @typedef {{address: string, seat: number, alive: boolean, units?: Unit[], note?: string, stream?: Stream}} Seat
 *   `note`: a few words next to the name.
 * @typedef {{amount: bigint, rate: bigint, since: number, cap: bigint, token?: string, key?: string}} Stream
 *   An amount that grows with the chain's time: by `rate` per second from `since` (seconds since
 *   1970; 0 if it doesn't grow) up to `cap`. `key`: the text that shows `{amount}` and `{cap}`.
 * @typedef {{text: string, tone: string, minor?: boolean}} Sentence `minor`: the page folds the sentence if there are many.
 *
 * @typedef {{tree: Tree, open: boolean, visible: boolean, declineLabel: string}} Confirmation
 *   `open`: the confirmation is already open, so it needs one press. `visible`: the text is shown
 *   even before the first press. `declineLabel`: the label of the button that declines.
 *
 * @typedef {{board: Json, caption: string}} RuleBoard An example board. `caption`: the key of the text below it.
 * @typedef {{me: string, board: Json, latest?: Json, steps: {press: number[], action: string, boards: Json[]}[]}} Tutorial
 *   A tutorial that the page plays without a chain, written by the rules in Python. `me`: the
 *   learner. `latest`: a later board that the renderer can use. A step has the cells to press one
 *   by one, the ID of the action whose button is pressed afterwards ("" for none), and the boards
 *   that follow. The last board includes the opponent's answer.
 *
 * @typedef {object} Renderer The exports of games/<slug>/renderer.js. They have no side effects, except `prepare` and, as noted below, `args`.
 * @property {{actionId: string, maximum: number, why: (context: RenderContext, before: {board: Json, seq: number}) => I18nText|null, temporary: string[], harmless: string[]}} [repeats]
 *   An action without inputs that the page repeats after a press, at most `maximum` times, until
 *   `why` returns a reason. `before`: the board at the press. `temporary`: the reasons against the
 *   next action that go away by themselves. `harmless`: the rejections that don't end the series.
 * @property {RuleBoard[]} [rules] The boards on the game's rules page, `#/rules/<slug>`. The page's sentences are the texts `rules.line-1` to `rules.line-3`.
 * @property {boolean} [hasTutorial] True if the folder has a tutorial.json, which the page shows at
 *   `#/learn/<slug>`. Its sentences are the texts `learn.1` to `learn.3` and `learn.end`.
 * @property {(context: RenderContext) => Picture} picture
 * @property {(action: Action) => string} [actionId] Returns the action's ID on the page, in texts
 *   and in transactions, if it isn't the action's name. It distinguishes overloads.
 * @property {string} [closeAction] The action with which the opener closes a match that nobody has joined.
 * @property {string} joinAction The action with which an account joins; the IDs of its overloads
 *   begin with this name.
 * @property {number} [joinCount] The number of times that a player who joins with *Play* sends `joinAction`; 1 by default.
 * @property {(ply: number) => number} [moveCount] Returns the number of moves that the lobby shows.
 * @property {(board: Json, me?: string) => Seat[]} seats `me`: the viewer, for details that only the player may see.
 * @property {(seat: number) => {colour: number, shape: number}} [badge] Returns a seat's own colour and shape.
 * @property {(board: Json, before: Json) => number[]} [voices] Returns the seats, 0 to 5, whose
 *   sounds are played, in this order, when `board` follows `before`.
 * @property {(board: Json, me: string, context?: RenderContext) => TurnText} turnText
 *   Returns the headline of a match: what the viewer `me` can do now, otherwise whose turn it is or
 *   how the match ended. Without `context`, in pictures and in the past, nobody can do anything.
 *   Shared code: games/shared/turn-text.js.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [why]
 *   Returns why the contract would reject the action, or null if it would accept it. A game without
 *   this function lets the page simulate the actions that are offered and pressed, and show the
 *   contract's error (app/rejections.js). This suits games whose actions are not secret. `values`:
 *   the typed values, as typed, and the arguments of a move. The page first checks that the match
 *   exists and is not over, and that the page can send anything. Afterwards it checks that the
 *   typed values are valid and that the account can pay. Shared checks for two-player games:
 *   games/shared/duel.js. A game can replace the page's text `why.<name>` by `<slug>.why.<name>`.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [whyTyped]
 *   Returns why the typed values don't go together, although each is valid. `values`: as sent
 *   to the contract.
 * @property {(context: RenderContext, action: Action) => boolean} isOffered True if the action has
 *   a button. Actions that are sent by a press on the board need no button. The page itself shows
 *   `claimTimeout` when the deadline has passed.
 * @property {string} [rematchAction] The ID of the action with which the contract itself repeats a
 *   finished match. By default, a rematch is an invitation with the same settings.
 * @property {string[]} [opensAnother] The IDs of the actions with which the contract opens another
 *   match before the end. Like `rematchAction`, these actions are not offered once new matches use
 *   a newer contract.
 * @property {(board: Json) => Json} [settingsOf] Returns the values to type for another match like
 *   this one, by input, if the board stores them under different names.
 * @property {(board: Json, me: string, opponents: Opponent[]) => Json} [rematchDraft]
 *   Returns the draft with which the form for a rematch begins.
 * @property {string[]} [afterEnd] The IDs of the actions for a finished match.
 * @property {string[]} [anyTime] The actions that can be sent both before and after the end.
 * @property {string[]} [accountOnly] The actions that only the account itself may send, not a session key. The account also sends all actions with a deposit itself.
 * @property {string[]} [needsSecondPress] The actions whose button needs a second press.
 * @property {(context: RenderContext, actionId: string) => Confirmation|null} [confirmationBefore]
 *   Returns the confirmation that is shown before an action is sent, in place of its button and its
 *   inputs.
 * @property {(context: RenderContext) => boolean} [hasSecret] True if the board shows something
 *   that only `context.me` may see. If `context.me` is "", the secret is hidden.
 * @property {(context: RenderContext) => void} [prepare] Called before each drawing of a match in
 *   which the player can take part. Before the match is opened, `match` is "". The function fills
 *   in the first draft and tries out what the page can't know otherwise, such as whether the
 *   browser stores data. Drawing itself changes nothing.
 * @property {(context: RenderContext) => boolean} [wantsFinality] True if the page should find out
 *   the `finality` of the latest board.
 * @property {(context: RenderContext) => boolean} [awaitsPlayer] True if the match is waiting for
 *   its player's decision. The page also calls this function for matches that are not on display.
 * @property {(context: RenderContext, actionId: string) => {label?: I18nText, hint?: I18nText, twice?: boolean, brief?: boolean}} [buttonText]
 *   Returns the texts of a button and of the line below it on this board, instead of `action.<id>`
 *   and `hint.<id>`. `twice`: the button needs a second press now. `brief`: its status disappears
 *   once its transaction is in a block.
 * @property {(context: RenderContext, actionId: string, input: string) => boolean} [hasInput]
 *   True if an action has an input on this board. By default, an action has all its inputs.
 * @property {(context: RenderContext, actionId: string, input: string, value: number, words: string) => string} [optionText]
 *   Returns the text for an option of a choice on this board. `words`: the default text.
 * @property {(context: RenderContext) => string} [turnNote] Returns a few more words, which the page shows below the headline.
 * @property {string[]} [secondary] The actions whose button is never highlighted, in addition to those in `needsSecondPress`.
 * @property {(context: RenderContext, cell: number) => Move|null} [press] Returns the move for a
 *   click or Enter on a cell. The page first checks `why` or asks the contract. It shows a
 *   rejection at the board.
 * @property {string} [pressAction] The action that a press on the board sends, if any. The page shows its cost before the press.
 * @property {(context: RenderContext, cell: number) => number} [select] Returns the piece that a
 *   press selects if the press makes no move, or 0 if it selects none.
 * @property {(context: RenderContext, action: Action, typed: Json) => Json} [args]
 *   Returns the ABI arguments that the player does not type, by name. `typed`: the known arguments,
 *   as the contract expects them. For a `secret` action, the page calls this function only when it
 *   sends the action, so the function may store secrets.
 * @property {(context: RenderContext, action: Action, prefix: string) => Tree|null} [form]
 *   Returns a game's own inputs for an action, which are shown above the buttons. They store their
 *   values in `context.draft`. Their IDs begin with `prefix`.
 * @property {boolean} [hasNewMatchPage] True if the action that opens a match has a `form`, which the page shows at `#/new/<slug>`.
 * @property {boolean} [isSlow] True if the game's picture is slow to make. The lobby draws the picture when the page is idle, after everything that can be pressed.
 * @property {(context: RenderContext) => Move|null} [autoMove] Returns the move that the page sends
 *   by itself for the player `context.me`. The page calls this function after each change to a
 *   board and once per second, even for matches that are not on display. It sends each move once
 *   per match, ply, account and action.
 * @property {(context: RenderContext) => Tree|null} [notices] Returns notes that a player must see. They are shown above the actions.
 * @property {(context: RenderContext) => Tree|null} [endSummary] Returns the summary that is shown below a board at the end.
 * @property {(event: ChainEvent, board: Json, events: ChainEvent[], me?: string) => Sentence[]} sentences
 *   Returns the sentences for an event. `events`: the events of the same transaction. `me`: the
 *   viewer.
 * @property {(context: RenderContext, cell: number) => string} describe
 * @property {(context: RenderContext, cell: number) => Tree|null} [inspect] Returns details of a
 *   cell, which are shown next to the cell while the player points at it.
 * @property {(contractView: Json) => Json} [fromContract] Converts the contract's `board(matchId)`,
 *   an object whose keys are the names of the struct's fields, to the form that `fromBoard`
 *   returns. Both mirror the reducer's functions. Integers above 48 bits are decimal text. Shared
 *   code: games/shared/contract-view.js. If a game lacks these two functions, the page compares
 *   only the number of events with the contract.
 * @property {(board: Json) => Json} [fromBoard] Returns the fields of a board that the contract's view also has.
 * @property {(context: RenderContext) => I18nText[]} [legend] Returns the legend of the fields' kinds. The last word of each key is the kind.
 *
 * @typedef {object} BoardInput The functions that a board calls for its input. A cell of -1 means no cell.
 * @property {(cell: number) => void} press
 * @property {(cell: number) => string} describe
 * @property {(cell: number) => void} point called with the cell under the pointer or cursor
 * @property {(cell: number) => Tree|null} inspect returns the details of a cell
 *
 * @typedef {object} Layout An instance of the class that layouts/<layout>.js exports by default:
 *   `new (host, hand, {still})`. The class has `drawing(picture)`, which returns the drawing for
 *   stills and exports and needs no document. It can have `ratio(picture)`, which returns the
 *   layout's width divided by its height, if the layout doesn't have the picture's ratio.
 * @property {(picture: Picture) => void} show
 * @property {() => void} stop
 *
 * @typedef {{trees: Tree[], width: number, height: number}} Drawing SVG trees, with sizes in CSS pixels.
 */

export {};
