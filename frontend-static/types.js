/**
 * The types that the page's modules share. This module contains no code.
 *
 * @import { Tree } from "./lib/dom.js"
 *
 * @typedef {Record<string, any>} Json A JSON object. Boards contain no null.
 * @typedef {{height: number, hash: string, time: number}} Block `time`: seconds since 1970.
 * @typedef {{seq: number, name: string, args: Json, block: number, hash: string, tx: string, time: number}} ChainEvent
 * @typedef {{seq: number, block: Block, board: Json, recentBoards: Map<number, Json>}} Entry
 *   A match that the page follows. `board`: the board after event `seq`. `recentBoards`: the boards
 *   after the latest events, by event number.
 *
 * @typedef {{name: string, label: string, kind: string, minimum: number, maximum: number, default: any,
 *   options: {value: number, label: string}[], token: string}} Input See Input in
 *   indexer/gamekit/game.py.
 * @typedef {{base: number, each?: number, of?: string, usual?: number, words?: number}} Gas
 *   `usual`: the average gas in a match, or 0 if it wasn't measured. `words`: the number of words
 *   in the call data, or 0 if the arguments are short.
 * @typedef {{amount: string, token: string}} Deposit The deposit that an action makes. Each value
 *   is the name of an input or, if there is no such input, of a field on the board.
 * @typedef {{name: string, signature: string, opens: boolean, label: string, inputs: Input[], gas: Gas, pays?: Deposit|null, secret?: boolean}} Action
 *   `opens`: true if the action opens a match. `secret`: true if only the player may know the
 *   arguments before the action is sent.
 * @typedef {{address: string, firstBlock: number, firstMatch: number, endMatch?: number}} Deployment
 * @typedef {{slug: string, title: string, layout: string, start?: Json, address: string, abi?: readonly any[], abiHash: string, firstBlock: number,
 *   deployments: Deployment[], companions?: Companion[], actions: Action[], presets?: number[]}} GameInfo
 *   `start`: the board before a match is opened. `presets`: the clocks at which players are paired,
 *   in seconds per move, shortest first. `abi`: undefined until the game is loaded.
 * @typedef {{name: string, address: string, codeHash: string}} Companion A contract that players
 *   can choose in the game, such as a captain. `codeHash`: the keccak256 hash of its code.
 * @typedef {{match: string, game: string, id: number, seq: number, status: string, ply: number, players: string[],
 *   opponent?: string, mover?: string, winner?: string, reason?: string, clock?: number, stake?: string, token?: string, rate?: string, created: number, time: number, block?: Block,
 *   morePlayers?: number, attended?: boolean, live?: boolean, seatCount?: number, invited?: Record<string, string>}} Summary
 *   `opponent`: the invited player, absent if anyone may join. `mover`: the player to move, absent
 *   if nobody or any player may move. `winner`, `reason`: the result; without `winner`, nobody has
 *   won. `clock`: seconds per move, 0 for no limit. `stake`: each player's stake, in wei or in the
 *   token's units. `rate`: the part of the stake that streams back per second. Summaries in the
 *   lobby have no `block`. In the lobby, `players` can be shortened; `morePlayers` is the number of
 *   players left out. `attended`: true if the match is open and its opener is watching. `live`:
 *   true if somebody is playing now.
 * @typedef {{chainId: number, genesis: string, nodeHead: number|null, indexedHead: number|null,
 *   lag: {blocks: number, seconds: number}, state: string, development: boolean, sponsor: boolean, finalHead?: number|null, coin?: string, rate?: {currency: string, price: number}|null, tellCostsAbove?: number}} Health
 *   `coin`: the coin that pays fees. `rate`: the price of one coin in money. Costs below
 *   `tellCostsAbove` aren't shown. `finalHead`: the height of the latest final block, if known.
 *
 * @typedef {object} HistorySource The source of a match's events and boards: the server or a file.
 *   Events are numbered from 1.
 * @property {() => number} last returns the number of the latest event
 * @property {(seq: number) => ChainEvent|undefined} event returns an event, or undefined if it is not loaded yet
 * @property {(seq: number) => Json|undefined} board returns the board after an event, or undefined if it is not loaded yet
 * @property {(seq: number) => Promise<void>} load loads an event, its board, and the events and boards around them. Throws Offline or Problem.
 * @property {(seq: number) => ChainEvent[]} eventsAround returns the loaded events around an event, in order
 * @property {() => void} forget drops everything that is loaded, because it might be wrong now
 *
 * @typedef {{seq: number, event: ChainEvent, board: Json, orphan?: OrphanedEvent}} Playhead
 *   An earlier position that the player looks at: the board after an event.
 * @typedef {ChainEvent & {match: string, board?: Json}} OrphanedEvent An event that this page has
 *   shown and a reorg has removed. `board`: the board after the event, unless the page has dropped
 *   it.
 *
 * @typedef {object} UiState The state of the player's selection and input. `pointed`: the cell under the pointer or cursor, or -1 if there is none.
 * @property {number} selected @property {number} pointed @property {string} copied @property {boolean} older true while earlier moves are being loaded
 * @property {Json} typed @property {string} nameCard the account whose name card is open
 * @property {I18nText|null} petnameTrouble
 * @property {string} [openTimeline] the match whose timeline the player opened during play
 * @property {string} [closedEnd] the match whose result the player closed
 *
 * @typedef {{game: string, name: string, strength: number, accounts: {address: string, rating: number|null, rivals: number}[]}} Opponent
 *   A computer player. `strength`: 1 for the weakest; stronger players have higher numbers.
 *
 * @typedef {{key: string, args?: Json}} I18nText A text before its translation: a message key and its arguments.
 * @typedef {I18nText & {tone?: "act"|"wait"|"alarm"|"won"|"lost"|"drawn", ticks?: boolean}} TurnText
 *   The tone `act` means that the viewer can do something. `ticks`: true if the text contains a
 *   running clock, which screen readers shouldn't read every second.
 * @typedef {{sentence: I18nText, small: string}} Reason The reason for a rejection. `sentence`: the
 *   text for players. `small`: the original message.
 *
 * @typedef {{address: string, kind: "browser"|"development"|"injected"|"session", name: string, givenName?: string, key?: string,
 *   backedUp?: boolean, provider?: any, usesThisServer?: boolean, trouble?: I18nText}} Account
 *   `givenName`: the name that the player gave to the key. `usesThisServer`: true if the wallet's
 *   node is this server, because this page has added the network to the wallet. `trouble`: why the
 *   wallet can't be used now.
 * @typedef {{maxFeePerGas: bigint, maxPriorityFeePerGas: bigint}} Fees Both fees are in wei per unit of gas.
 * @typedef {"waiting"|"simulated"|"signed"|"sent"|"mined"|"final"|"failed"|"refused"|"replaced"|"dropped"|"retracted"|"cancelled"} TxState
 *   See chain/tx/states.js.
 * @typedef {{id: string, chain: string, tab: string, at: number, account: string, seat?: string, to: string, data: string, value: bigint,
 *   gasCap: bigint, match: string, action: string, game: string, cell?: number, state: TxState, hashes: string[], nonce?: number,
 *   raw?: string, gas?: bigint, fees?: Fees, limit?: bigint, sentAt?: number, raises?: number, stuck?: boolean,
 *   cancel?: string, cancelRaw?: string, block?: number, blockHash?: string, reason?: Reason, opened?: string, since?: number, settled?: boolean}} Tx
 *   A transaction in the journal. `account` sends it and pays for it. `seat`: the player, if it is
 *   a different account. `chain`: the chain ID and the genesis hash. `tab`: the tab that sends it.
 *   `at`: the time of the click. `since`: the time when the node lost it. Both are in milliseconds
 *   since 1970. `cell`: the clicked cell. `hashes`: the hashes of all signed versions, each with a
 *   higher fee. `limit`: the highest max fee per gas. `value`: in wei. `sentAt`: the chain's height
 *   at the last signing or sending. `stuck`: true if it needs a higher fee than `limit`. `cancel`:
 *   the hash of the empty transfer that cancels it. `settled`: true if the tracker is done with it.
 *
 * @typedef {{id: string, cell: number, colour: number, shape: number, label: string, mine: boolean, sunk: boolean,
 *   selected: boolean, pending: boolean, size?: number, faces?: Faces, text?: string}} Piece
 *   `colour`: 0 to 7. `shape`: from layouts/shapes.js. `size`: the radius as a fraction of the
 *   cell's side, if it isn't the usual one. `faces`: if present, SVG boards draw the piece as a
 *   cube. `mine`: true if the viewer can move the piece now. `text`: shown in a terminal.
 * @typedef {{up: string, front: string, right: string, back: string, left: string}} Faces
 *   The symbols on a cube's faces, from layouts/shapes.js. `front` faces the board's upper edge.
 * @typedef {{cell: number, kind: string, shape?: string, over?: boolean, text?: string, from?: number}} Mark
 *   A coloured field or a mark on a cell. A field's colour is the CSS property `--field-<kind>`,
 *   and a mark's colour is `--mark-<kind>`, from the game's style sheet or the theme. A field's
 *   `shape` can be `dot`, or `corner` to mark a corner instead of the whole cell. A mark's `shape`
 *   can be `burst`, `cross`, `dot` or `splash` (the default). Either can be a symbol from
 *   layouts/shapes.js. `from`: the cell from which a shot came, if known. `over`: true if the mark
 *   is drawn over the pieces. `text`: a field's text in a terminal.
 * @typedef {{from: number, to: number, kind: string, over?: boolean, hollow?: boolean, hull?: boolean, label?: string, short?: string, press?: number}} Line
 *   A line between two cells, in the colour `--line-<kind>`. `over`: true if it is drawn over the
 *   pieces. `hollow`: true if SVG boards draw only its outline. `hull`: true if it is a ship with a
 *   porthole on each cell. On a map, the line is an arrow with a `label` or, if the map is small, a
 *   `short` label. A click on the line counts as a click on the cell `press`, which can lie outside
 *   the board.
 * @typedef {{id: string, cells: number[], sector: number, regions: Region[]}} RegionMap
 *   The map that the layout "map" draws. `cells`: the number of each cell's region, which is 128 or
 *   more for water. `id` changes whenever `cells` changes. `sector`: the number of cells between
 *   two coordinates at the edge.
 * @typedef {{cell: number, ground: string, texture: string, colour: number, shape: number, label: string, note: string, signs: string[], ports: number[], marks: string[]}} Region
 *   A land on a map. `cell`: the position of its label. `colour`: the owner's colour, or -1 if
 *   nobody owns the land, which is then drawn in `--region-<ground>`. `texture` and `signs`: from
 *   layouts/map/signs.js. `note`: a second, smaller label. `ports`: the water cells of its ports.
 *   `marks`: its outlines, each in the colour `--region-<mark>`.
 * @typedef {{width: number, height: number, pieces: Piece[], fields: Mark[], marks: Mark[], lines: Line[], stamp: string,
 *   title?: string, waiting?: number[], parts?: Picture[], map?: RegionMap, columns?: string, turned?: boolean, surface?: string, leaving?: {id: string, cell: number}[], empty?: string, won?: boolean}} Picture
 *   The picture that a game passes to a layout. `stamp` changes when the marks belong to a new
 *   move. `waiting`: the cells of pending moves. By default, these are the clicked cells.
 *   `columns`: the columns' names, one letter each, if they aren't A, B, … `turned`: true if the
 *   layout "grid" draws the board from the opposite side. The cells keep their numbers. `surface`:
 *   `sea` draws waves on SVG boards. `leaving`: the pieces that left the board with the last move,
 *   and the cells to which they moved. `empty`: an empty cell's text in a terminal. `parts`: the
 *   boards, if the picture has several. Cells are numbered across them.
 *
 * @typedef {{state: Json, change: () => void}} Draft A player's plans for the next move or match.
 *   They are stored in memory per account and per match or game. `change` redraws the page.
 * @typedef {{match: string, board: Json, me: string, ownAccounts: Set<string>, selected: number, head: Block|null, now: number,
 *   pending: Tx[], draft: Draft, formatAmount: (amount: bigint, token?: string) => string, opponents?: Opponent[], companions?: Companion[], events?: ChainEvent[], seq?: number, latestBoard?: Json|null, viewAs?: string, finality?: () => FinalityResult, sent?: () => Tx[]}} RenderContext
 *   The input for drawing a match. `board`: the latest or an earlier board. `me`: the viewer, or ""
 *   if there is none, as in a replay. Before a match is opened, `match` is "" and the board is
 *   empty. `now`: the chain's time, in seconds since 1970. `formatAmount`: formats an amount of a
 *   token or of ether. `opponents`: the game's computer players, weakest first. `companions`: the
 *   contracts that players can choose. `seq`: the number of the board's event. `events`: all known
 *   events, including later ones. If `board` is an earlier board, `latestBoard` is the latest one,
 *   and `viewAs` is the viewer even if that account joined later. `finality`: returns the finality
 *   of the latest board. `sent`: returns the viewer's transactions in this match from this
 *   browser's journal, including the match's opening and failed ones.
 * @typedef {{state: "server"|"asking"|"final"|"recent"|"differs"|"unanswered", why?: I18nText}} FinalityResult
 *   The verdict of the player's own node or wallet on the latest board. `server`: there is no other
 *   node than the server's. `final`: the contract agrees, and no reorg can remove the board.
 *   `recent`: the contract agrees, but a reorg can still remove the board.
 * @typedef {{action: string, args: Json}} Move A move to send: the ID of an action, and its ABI arguments by name.
 * @typedef {{number: number, alive: boolean, id?: string}} Unit A unit in the list of a player's units. `alive`: true if it is still in play.
 * @typedef {{rating: number, rivals: number}} Rating A player's Elo rating in a game. `rivals`: the
 *   number of opponents whose results count in the rating.
 * @typedef {{address: string, seat: number, alive: boolean, units?: Unit[], note?: string, stream?: Stream}} Seat
 *   `note`: a few words next to the name.
 * @typedef {{amount: bigint, rate: bigint, since: number, cap: bigint, token?: string, key?: string}} Stream
 *   An amount that grows over time: by `rate` per second from `since` (seconds since 1970; 0 if it
 *   doesn't grow), up to `cap`. `key`: the message key of a text with `{amount}` and `{cap}`.
 * @typedef {{text: string, tone: string, minor?: boolean}} Sentence A sentence in the list of moves. `minor`: true if the page may fold the sentence.
 *
 * @typedef {{tree: Tree, open: boolean, visible: boolean, declineLabel: string}} Confirmation
 *   `open`: true if the confirmation is already open, so that one click is enough. `visible`: true
 *   if the text is shown even before the first click. `declineLabel`: the label of the button that
 *   declines.
 *
 * @typedef {{board: Json, caption: string}} RuleBoard An example board. `caption`: the message key of the text below it.
 * @typedef {{me: string, board: Json, latest?: Json, steps: {press: number[], action: string, boards: Json[]}[]}} Tutorial
 *   A tutorial, which needs no chain. Its boards come from the game's rules in Python. `me`: the
 *   learner. `latest`: a later board that the renderer can use. In each step, `press` lists the
 *   cells to click, `action` is the ID of the action whose button is pressed afterwards ("" for
 *   none), and `boards` follow. The last of them includes the opponent's answer.
 *
 * @typedef {object} Renderer The exports of games/<slug>/renderer.js. Only `prepare` and, for secret actions, `args` have side effects.
 * @property {{actionId: string, maximum: number, why: (context: RenderContext, before: {board: Json, seq: number}) => I18nText|null, temporary: string[], harmless: string[]}} [repeats]
 *   An action without inputs that the page repeats after a click, at most `maximum` times, until
 *   `why` returns a reason. `before`: the board at the click. `temporary`: the message keys of
 *   temporary reasons against the next action. `harmless`: rejections that don't end the series.
 * @property {RuleBoard[]} [rules] The boards on the game's rules page, `#/rules/<slug>`. The page's text is in the messages `rules.line-1` to `rules.line-3`.
 * @property {boolean} [hasTutorial] True if the game's folder has a tutorial.json, which the page
 *   shows at `#/learn/<slug>`. Its text is in the messages `learn.1` to `learn.3` and `learn.end`.
 * @property {(context: RenderContext) => Picture} picture
 * @property {(action: Action) => string} [actionId] Returns the action's ID, if it isn't the
 *   action's name. The page uses it in elements, messages and transactions. It distinguishes
 *   overloaded functions.
 * @property {string} [closeAction] The action with which the opener closes a match that nobody has joined.
 * @property {string} joinAction The action with which an account joins; the IDs of its overloads begin with this name.
 * @property {number} [joinCount] The number of times that a player who joins with *Play* sends `joinAction`; 1 by default.
 * @property {(ply: number) => number} [moveCount] Converts a ply to the number of moves that the lobby shows.
 * @property {(board: Json, me?: string) => Seat[]} seats Returns the players' seats, with details that only the viewer `me` may see.
 * @property {(seat: number) => {colour: number, shape: number}} [badge] Returns a seat's own colour and shape.
 * @property {(board: Json, before: Json) => number[]} [voices] Returns the seats, 0 to 5, whose sounds are played, in this order, when `board` follows `before`.
 * @property {(board: Json, me: string, context?: RenderContext) => TurnText} turnText
 *   Returns the headline of a match. It says what the viewer `me` can do now, whose turn it is, or
 *   how the match ended. Without `context`, as in pictures and for earlier boards, nobody can do
 *   anything. Shared code: games/shared/turn-text.js.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [why]
 *   Returns why the contract would reject the action, or null if it would accept it. If a game
 *   lacks this function, the page simulates the actions and shows the contract's error
 *   (app/rejections.js). This suits games whose actions aren't secret. `values`: the values as
 *   typed, and the arguments of a move. Before the call, the page checks that the match isn't over
 *   and that transactions can be sent. Afterwards, it checks that the typed values are valid and
 *   that the account can pay. Shared checks for two-player games: games/shared/duel.js. A game can
 *   replace the page's message `why.<name>` with `<slug>.why.<name>`.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [whyTyped]
 *   Returns why the typed values contradict each other, although each value is valid. `values`: as
 *   sent to the contract.
 * @property {(context: RenderContext, action: Action) => boolean} isOffered True if the action has
 *   a button. Actions that a click on the board sends need no button. The page itself offers
 *   `claimTimeout` after the deadline.
 * @property {string} [rematchAction] The ID of the action with which the contract itself repeats a
 *   finished match. By default, a rematch is an invitation with the same settings.
 * @property {string[]} [opensAnother] The IDs of the actions with which the contract opens another
 *   match before the end. Like `rematchAction`, they aren't offered if the game has a newer
 *   contract.
 * @property {(board: Json) => Json} [settingsOf] Returns the values to type for a match with the
 *   same settings, by input. A game needs this only if the board stores them under different names.
 * @property {(board: Json, me: string, opponents: Opponent[]) => Json} [rematchDraft] Returns the initial draft of the rematch form.
 * @property {string[]} [afterEnd] The IDs of the actions that can be sent only after the end.
 * @property {string[]} [anyTime] The IDs of the actions that can be sent both before and after the end.
 * @property {string[]} [accountOnly] The IDs of the actions that session keys can't send. Session keys can't send actions with a deposit either.
 * @property {string[]} [needsSecondPress] The IDs of the actions whose button needs a second click.
 * @property {(context: RenderContext, actionId: string) => Confirmation|null} [confirmationBefore]
 *   Returns the confirmation that is shown before an action is sent, in place of its button and its
 *   inputs.
 * @property {(context: RenderContext) => boolean} [hasSecret] True if the board shows something
 *   that only `context.me` may see. If `context.me` is "", the secret is hidden.
 * @property {(context: RenderContext) => void} [prepare] Called before each drawing of a match in
 *   which the player can take part. Before the match is opened, `match` is "". The function fills
 *   in the first draft and finds out, for example, whether the browser stores data. Unlike drawing,
 *   it may change state.
 * @property {(context: RenderContext) => boolean} [wantsFinality] True if the page should find out the `finality` of the latest board.
 * @property {(context: RenderContext) => boolean} [awaitsPlayer] True if the match is waiting for
 *   `context.me` to decide something. The page also calls this function for matches that aren't on
 *   display.
 * @property {(context: RenderContext, actionId: string) => {label?: I18nText, hint?: I18nText, twice?: boolean, brief?: boolean}} [buttonText]
 *   Returns the texts of a button and of the line below it on this board, instead of `action.<id>`
 *   and `hint.<id>`. `twice`: true if the button needs a second click now. `brief`: true if the
 *   button's status disappears once its transaction is in a block.
 * @property {(context: RenderContext, actionId: string, input: string) => boolean} [hasInput]
 *   True if an action has an input on this board. By default, an action has all its inputs.
 * @property {(context: RenderContext, actionId: string, input: string, value: number, words: string) => string} [optionText]
 *   Returns the label of an option of a choice on this board. `words`: the default label.
 * @property {(context: RenderContext) => string} [turnNote] Returns a short text that the page shows below the headline.
 * @property {string[]} [secondary] The IDs of the actions whose button is never highlighted. Buttons that need a second click aren't highlighted either.
 * @property {(context: RenderContext, cell: number) => Move|null} [press] Returns the move for a
 *   click or Enter on a cell. Before it sends the move, the page checks `why` or simulates the
 *   move. It shows a rejection next to the board.
 * @property {string} [pressAction] The ID of the action that a click on the board sends. The page shows its cost before the click.
 * @property {(context: RenderContext, cell: number) => number} [select] Returns the piece that a click selects if the click makes no move. Returns 0 if it selects none.
 * @property {(context: RenderContext, action: Action, typed: Json) => Json} [args]
 *   Returns the ABI arguments that the player doesn't type, by name. `typed`: the known arguments,
 *   as the contract expects them. For a `secret` action, the page calls this function only when it
 *   sends the action, so the function may store secrets.
 * @property {(context: RenderContext, action: Action, prefix: string) => Tree|null} [form]
 *   Returns the game's own inputs for an action, which are shown above the buttons. The inputs
 *   store their values in `context.draft`, and their IDs begin with `prefix`.
 * @property {boolean} [hasNewMatchPage] True if the action that opens a match has a `form`, which the page shows at `#/new/<slug>`.
 * @property {boolean} [isSlow] True if the game's picture is slow to make. The lobby draws the picture later, when the page is idle.
 * @property {(context: RenderContext) => Move|null} [autoMove] Returns the move that the page sends
 *   automatically for the player `context.me`. The page calls this function after each change to a
 *   board and once per second, even for matches that aren't on display. It sends each move only
 *   once per match, ply, account and action.
 * @property {(context: RenderContext) => Tree|null} [notices] Returns notes that a player must see. They are shown above the actions.
 * @property {(context: RenderContext) => Tree|null} [endSummary] Returns the summary that is shown below the board after the end.
 * @property {(event: ChainEvent, board: Json, events: ChainEvent[], me?: string) => Sentence[]} sentences
 *   Returns the sentences for an event. `events`: the events of the same transaction. `me`: the
 *   viewer.
 * @property {(context: RenderContext, cell: number) => string} describe
 * @property {(context: RenderContext, cell: number) => Tree|null} [inspect] Returns details of a cell, which are shown next to the cell while the player points at it.
 * @property {(contractView: Json) => Json} [fromContract] Converts the result of the contract's
 *   `board(matchId)` to the form that `fromBoard` returns, so that the page can compare them. Both
 *   functions mirror the reducer's. In the result, integers above 48 bits are decimal text. Shared
 *   code: games/shared/contract-view.js. If a game lacks these two functions, the page compares
 *   only the number of events with the contract.
 * @property {(board: Json) => Json} [fromBoard] Returns the fields of a board that the contract's view also has.
 * @property {(context: RenderContext) => I18nText[]} [legend] Returns the legend that explains the kinds of fields. The last word of each message key is the kind.
 *
 * @typedef {object} BoardInput The functions that a board calls to handle input. The cell -1 means no cell.
 * @property {(cell: number) => void} press
 * @property {(cell: number) => string} describe
 * @property {(cell: number) => void} point called with the cell under the pointer or cursor
 * @property {(cell: number) => Tree|null} inspect returns the details of a cell
 *
 * @typedef {object} Layout An instance of the class that layouts/<layout>.js exports by default:
 *   `new (host, hand, {still})`. The class has a static `drawing(picture)`, which returns the
 *   drawing for pictures and exports without a document. It can have a static `ratio(picture)`,
 *   which returns the drawing's width divided by its height, if that isn't the picture's ratio.
 * @property {(picture: Picture) => void} show
 * @property {() => void} stop
 *
 * @typedef {{trees: Tree[], width: number, height: number}} Drawing SVG trees, with sizes in CSS pixels.
 */

export {};
