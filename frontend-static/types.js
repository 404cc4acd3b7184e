/**
 * The types that the page's modules share. This module contains no code.
 *
 * @import { Tree } from "./lib/dom.js"
 *
 * @typedef {Record<string, any>} Json A JSON object. Boards contain no null.
 * @typedef {{height: number, hash: string, time: number}} Block `height`: the block's number. `time`: in seconds since 1970.
 * @typedef {{seq: number, name: string, args: Json, block: number, hash: string, tx: string, time: number}} ChainEvent
 * @typedef {{seq: number, block: Block, board: Json, recentBoards: Map<number, Json>}} Entry
 *   The state of a match that the page follows. `board`: the board after event `seq`.
 *   `recentBoards`: for the number of each recent event, the board after that event.
 *
 * @typedef {{name: string, label: string, kind: string, minimum: number, maximum: number, default: any,
 *   options: {value: number, label: string}[], token: string}} Input An input of an action. See
 *   Input in indexer/gamekit/game.py.
 * @typedef {{base: number, each?: number, of?: string, usual?: number, words?: number}} Gas
 *   The gas that an action needs. `usual`: the average in a match, or 0 if it wasn't measured.
 *   `words`: the number of words in the call data, or 0 if the arguments are short.
 * @typedef {{amount: string, token: string}} Deposit The deposit that an action makes. `amount`,
 *   `token`: the names of inputs of the action or, if it has no such inputs, of the board's fields.
 * @typedef {{name: string, signature: string, opens: boolean, label: string, inputs: Input[], gas: Gas, pays?: Deposit|null, secret?: boolean}} Action
 *   A function of a game's contract that players can call. `opens`: true if the action opens a
 *   match. `secret`: true if only the player may know the arguments before the action is sent.
 * @typedef {{address: string, firstBlock: number, firstMatch: number, endMatch?: number}} Deployment
 * @typedef {{slug: string, title: string, layout: string, start?: Json, address: string, abi?: readonly any[], abiHash: string, firstBlock: number,
 *   deployments: Deployment[], companions?: Companion[], actions: Action[], presets?: number[]}} GameInfo
 *   A game on the server. `start`: the board before a match is opened. `presets`: the clocks with
 *   which the gateway pairs players, in seconds per move, the shortest first. `abi`: undefined
 *   until the game is loaded.
 * @typedef {{name: string, address: string, codeHash: string}} Companion A contract that players
 *   can choose in a match, such as a captain. `codeHash`: the keccak256 hash of the contract's
 *   code.
 * @typedef {{match: string, game: string, id: number, seq: number, status: string, ply: number, players: string[],
 *   opponent?: string, mover?: string, winner?: string, reason?: string, clock?: number, stake?: string, token?: string, rate?: string, created: number, time: number, block?: Block,
 *   morePlayers?: number, attended?: boolean, live?: boolean, seatCount?: number, invited?: Record<string, string>}} Summary
 *   A match, as lists of matches show it. `opponent`: the invited player; absent if anyone may
 *   join. `mover`: the player to move; absent if nobody or everybody can move. `winner`, `reason`:
 *   the result; without `winner`, nobody has won. `clock`: in seconds per move, or 0 for no limit.
 *   `stake`: each player's stake, in wei or in the token's units. `rate`: the part of the stake
 *   that streams back per second. `attended`: true if the match is open and the player who opened
 *   it is watching. `live`: true if somebody is playing now. In the lobby, `block` is absent, and
 *   `players` can be shortened: `morePlayers` is the number of players who are left out.
 * @typedef {{chainId: number, genesis: string, nodeHead: number|null, indexedHead: number|null,
 *   lag: {blocks: number, seconds: number}, state: string, development: boolean, sponsor: boolean, finalHead?: number|null, coin?: string, rate?: {currency: string, price: number}|null, tellCostsAbove?: number}} Health
 *   The state of the server and its node. `coin`: the name of the coin that pays fees. `rate`: the
 *   price of one coin in a currency. `tellCostsAbove`: lower costs aren't shown. `finalHead`: the
 *   latest final block's height, if known.
 *
 * @typedef {object} HistorySource The source of a match's events and boards, which is the server or
 *   a replay file. Events are numbered from 1.
 * @property {() => number} last returns the number of the latest event
 * @property {(seq: number) => ChainEvent|undefined} event returns an event, or undefined if the event isn't loaded yet
 * @property {(seq: number) => Json|undefined} board returns the board after an event, or undefined if the board isn't loaded yet
 * @property {(seq: number) => Promise<void>} load loads an event, the board after the event, and the events and boards around them. Throws Offline or Problem.
 * @property {(seq: number) => ChainEvent[]} eventsAround returns the loaded events before and after an event, in order
 * @property {() => void} forget drops all events and boards that are loaded, because they might be wrong after a reorg
 *
 * @typedef {{seq: number, event: ChainEvent, board: Json, orphan?: OrphanedEvent}} Playhead
 *   The earlier event of a match that is on display. `board`: the board after `event`.
 * @typedef {ChainEvent & {match: string, board?: Json}} OrphanedEvent An event that this page has
 *   shown before a reorg removed it. `board`: the board after the event, if the page still has the
 *   board.
 *
 * @typedef {object} UiState The state of the player's selection and input. `pointed`: the cell under the pointer or the keyboard's cursor, or -1 if there is none.
 * @property {number} selected @property {number} pointed @property {string} copied @property {boolean} older true while the page is loading earlier moves
 * @property {Json} typed @property {string} nameCard the account whose name card is open, or ""
 * @property {I18nText|null} petnameTrouble
 * @property {string} [openTimeline] the match whose timeline the player has opened during play
 * @property {string} [closedEnd] the match whose result the player has closed
 *
 * @typedef {{game: string, name: string, strength: number, accounts: {address: string, rating: number|null, rivals: number}[]}} Opponent
 *   A computer player of a game. `strength`: 1 for the weakest; a stronger player has a higher
 *   number.
 *
 * @typedef {{key: string, args?: Json}} I18nText A text that isn't translated yet: the key of a message and the message's arguments.
 * @typedef {I18nText & {tone?: "act"|"wait"|"alarm"|"won"|"lost"|"drawn", ticks?: boolean}} TurnText
 *   A match's headline. The tone `act` means that the viewer can do something now. `ticks`: true if
 *   the text contains a running clock, which screen readers shouldn't read aloud every second.
 * @typedef {{sentence: I18nText, small: string}} Reason The reason why something was rejected.
 *   `sentence`: the text for players. `small`: the original message of the node, the wallet or the
 *   contract.
 *
 * @typedef {{address: string, kind: "browser"|"development"|"injected"|"session", name: string, givenName?: string, key?: string,
 *   backedUp?: boolean, provider?: any, usesThisServer?: boolean, trouble?: I18nText}} Account
 *   An account that the page can use. `givenName`: the name that the player has given to the key.
 *   `usesThisServer`: true if the wallet's node is this server, because this page has added the
 *   network to the wallet. `trouble`: the reason why the wallet can't be used now.
 * @typedef {{maxFeePerGas: bigint, maxPriorityFeePerGas: bigint}} Fees The fees that a transaction offers, in wei per unit of gas.
 * @typedef {"waiting"|"simulated"|"signed"|"sent"|"mined"|"final"|"failed"|"refused"|"replaced"|"dropped"|"retracted"|"cancelled"} TxState
 *   The state of a transaction. See chain/tx/states.js.
 * @typedef {{id: string, chain: string, tab: string, at: number, account: string, seat?: string, to: string, data: string, value: bigint,
 *   gasCap: bigint, match: string, action: string, game: string, cell?: number, state: TxState, hashes: string[], nonce?: number,
 *   raw?: string, gas?: bigint, fees?: Fees, limit?: bigint, sentAt?: number, raises?: number, stuck?: boolean,
 *   cancel?: string, cancelRaw?: string, block?: number, blockHash?: string, reason?: Reason, opened?: string, since?: number, settled?: boolean}} Tx
 *   A transaction in the journal. `account`: the sender, which pays for it. `seat`: the player's
 *   account, if the sender is a session key. `chain`: the chain ID and the genesis hash. `tab`: the
 *   tab that sends it. `at`: the time of the click. `since`: the time when the node lost it. Both
 *   times are in milliseconds since 1970. `cell`: the clicked cell. `hashes`: the hashes of all
 *   signed versions; each version has a higher fee than the one before. `limit`: the highest max
 *   fee per gas. `value`: in wei. `sentAt`: the chain's height at the last signing or sending.
 *   `stuck`: true if it needs a higher fee than `limit`. `cancel`: the hash of the empty transfer
 *   that cancels it. `settled`: true if the tracker no longer checks it.
 *
 * @typedef {{id: string, cell: number, colour: number, shape: number, label: string, mine: boolean, sunk: boolean,
 *   selected: boolean, pending: boolean, size?: number, faces?: Faces, text?: string}} Piece
 *   A piece on a board. `colour`: from 0 to 7. `shape`: from layouts/shapes.js. `size`: the radius
 *   as a fraction of the cell's side, if it differs from the default. `faces`: if present, SVG
 *   boards draw the piece as a cube. `mine`: true if the viewer can move the piece now. `text`:
 *   drawn in a terminal.
 * @typedef {{up: string, front: string, right: string, back: string, left: string}} Faces
 *   The symbols on the faces of a cube, from layouts/shapes.js. `front`: the symbol on the
 *   face towards the board's upper edge.
 * @typedef {{cell: number, kind: string, shape?: string, over?: boolean, text?: string, from?: number}} Mark
 *   A coloured field below the pieces, or a mark on a cell. A field has the colour
 *   `--field-<kind>`, and a mark `--mark-<kind>`. The game's style sheet or the theme defines these
 *   CSS properties. `shape`: any symbol from layouts/shapes.js. For a field, also `dot`, or
 *   `corner` to mark a corner instead of the whole cell. For a mark, also `burst`, `cross`, `dot`
 *   or `splash` (the default). `from`: the cell from which a shot came, if known. `over`: true if
 *   the mark is drawn above the pieces. `text`: a field's text in a terminal.
 * @typedef {{from: number, to: number, kind: string, over?: boolean, hollow?: boolean, hull?: boolean, label?: string, short?: string, press?: number}} Line
 *   A line between two cells, in the colour `--line-<kind>`. `over`: true if it is drawn above the
 *   pieces. `hollow`: true if SVG boards draw only its outline. `hull`: true if the line is a ship
 *   with a porthole on each cell. On a map, the line is an arrow with a `label` or, on a small map,
 *   with a `short` label. A click on the line counts as a click on the cell `press`, which can lie
 *   outside the board.
 * @typedef {{id: string, cells: number[], sector: number, regions: Region[]}} RegionMap
 *   A map, as the layout "map" draws it. `cells`: each cell's region; numbers from 128 are water.
 *   `id` changes whenever `cells` changes. `sector`: the width of a sector in cells. The
 *   coordinates at the map's edge name the sectors.
 * @typedef {{cell: number, ground: string, texture: string, colour: number, shape: number, label: string, note: string, signs: string[], ports: number[], marks: string[]}} Region
 *   A land on a map. `cell`: the position of its label. `colour`: its owner's colour, or -1 if
 *   nobody owns it. In that case, its colour is `--region-<ground>`. `texture` and `signs`: from
 *   layouts/map/signs.js. `note`: a second, smaller label. `ports`: the water cells of its ports.
 *   `marks`: its outlines, each in the colour `--region-<mark>`.
 * @typedef {{width: number, height: number, pieces: Piece[], fields: Mark[], marks: Mark[], lines: Line[], stamp: string,
 *   title?: string, waiting?: number[], parts?: Picture[], map?: RegionMap, columns?: string, turned?: boolean, surface?: string, leaving?: {id: string, cell: number}[], empty?: string, won?: boolean}} Picture
 *   The picture that a game passes to a layout, which draws it. `stamp` changes when the marks
 *   belong to a new move. `waiting`: the cells of pending moves; by default, the clicked cells.
 *   `columns`: the columns' names, one letter each, if they aren't A, B, … `turned`: true if the
 *   layout "grid" draws the board from the opposite side. The cells keep their numbers. `surface`:
 *   if it is `sea`, SVG boards draw waves. `leaving`: the pieces that left the board with the last
 *   move, and the cells to which they moved. `empty`: an empty cell's text in a terminal. `parts`:
 *   the boards, if the picture has several boards. Cells are numbered across all boards.
 *
 * @typedef {{state: Json, change: () => void}} Draft A player's plans for the next move or match,
 *   which are stored only in memory. Each account has a draft per match and per game. `change`
 *   redraws the page.
 * @typedef {{match: string, board: Json, me: string, ownAccounts: Set<string>, selected: number, head: Block|null, now: number,
 *   pending: Tx[], draft: Draft, formatAmount: (amount: bigint, token?: string) => string, opponents?: Opponent[], companions?: Companion[], events?: ChainEvent[], seq?: number, latestBoard?: Json|null, viewAs?: string, finality?: () => FinalityResult, sent?: () => Tx[]}} RenderContext
 *   The input for drawing a match. `board`: the latest board or an earlier board. `me`: the
 *   viewer's account, or "" if there is no viewer, as in a replay. Before a match is opened,
 *   `match` is "" and the board is empty. `now`: the chain's time, in seconds since 1970.
 *   `formatAmount`: formats an amount of a token or of ether. `opponents`: the game's computer
 *   players, the weakest first. `companions`: the contracts that players can choose. `seq`: the
 *   number of the board's event. `events`: all known events, including later ones. If `board` is an
 *   earlier board, `latestBoard` is the latest board, and `viewAs` is the viewer even if that
 *   account joined later. `finality`: returns the finality of the latest board. `sent`: returns the
 *   viewer's transactions in this match from this browser's journal, including
 *   failed transactions and the opening of the match.
 * @typedef {{state: "server"|"asking"|"final"|"recent"|"differs"|"unanswered", why?: I18nText}} FinalityResult
 *   The finality of the latest board, as found by the player's own node or wallet. `server`: the
 *   only available node is the server's. `final`: the contract agrees, and no reorg can remove the
 *   board. `recent`: the contract agrees, but a reorg can still remove the board.
 * @typedef {{action: string, args: Json}} Move A move that the page can send: the ID of an action, and the action's arguments with their names in the ABI.
 * @typedef {{number: number, alive: boolean, id?: string}} Unit A unit in the list of a player's units, such as a ship. `alive`: true if the unit is still in play.
 * @typedef {{rating: number, rivals: number}} Rating A player's Elo rating in a game. `rivals`: the
 *   number of different opponents whose results count in the rating.
 * @typedef {{address: string, seat: number, alive: boolean, units?: Unit[], note?: string, stream?: Stream}} Seat
 *   A player's seat in a match. `note`: a few words next to the player's name.
 * @typedef {{amount: bigint, rate: bigint, since: number, cap: bigint, token?: string, key?: string}} Stream
 *   An amount of ether or of a token that grows by `rate` per second, up to `cap`. It grows from
 *   the time `since`, in seconds since 1970. If `since` is 0, it doesn't grow. `key`: the message
 *   key of a text with `{amount}` and `{cap}`.
 * @typedef {{text: string, tone: string, minor?: boolean}} Sentence A sentence in the list of moves. `minor`: true if the page may fold the sentence away.
 *
 * @typedef {{tree: Tree, open: boolean, visible: boolean, declineLabel: string}} Confirmation
 *   A question that the player must confirm. `open`: true if it is already open, so that one click
 *   is enough. `visible`: true if its text is shown even before the first click. `declineLabel`:
 *   the label of the button that declines.
 *
 * @typedef {{board: Json, caption: string}} RuleBoard A board that illustrates a game's rules. `caption`: the message key of the text below the board.
 * @typedef {{me: string, board: Json, latest?: Json, steps: {press: number[], action: string, boards: Json[]}[]}} Tutorial
 *   A tutorial, which needs no chain. Its boards come from the game's rules in Python. `me`: the
 *   learner's account. `latest`: a later board that the renderer can use. In each step, `press`
 *   lists the cells to click. `action` is the ID of the action whose button follows, or "" for
 *   none. `boards` are the boards that the page then shows. The last of them includes the
 *   opponent's answer.
 *
 * @typedef {object} Renderer The exports of games/<slug>/renderer.js. Only `prepare` and, for secret actions, `args` have side effects.
 * @property {{actionId: string, maximum: number, why: (context: RenderContext, before: {board: Json, seq: number}) => I18nText|null, temporary: string[], harmless: string[]}} [repeats]
 *   An action without inputs that the page repeats after a single click, at most `maximum` times,
 *   until `why` returns a reason. `before`: the board at the click. `temporary`: the message keys
 *   of reasons that only delay the next action. `harmless`: the message keys of rejections that
 *   don't end the series.
 * @property {RuleBoard[]} [rules] The boards on the page with the game's rules, `#/rules/<slug>`. The page's text is in the messages `rules.line-1` to `rules.line-3`.
 * @property {boolean} [hasTutorial] True if the game's folder has a file tutorial.json, which the page shows at `#/learn/<slug>`. Its text is in the messages `learn.1` to `learn.3` and `learn.end`.
 * @property {string[]} functions The contract's functions that the page calls, such as `resign(uint48 matchId)`.
 * @property {(context: RenderContext) => Picture} picture
 * @property {(action: Action) => string} [actionId] Returns the ID of an action. By default, this is the action's name. Functions that have the same name need different IDs, because the page uses the ID in elements, messages and transactions.
 * @property {string} [closeAction] The ID of the action that closes a match that nobody has joined. The player who opened the match can send it.
 * @property {string} joinAction The ID of the action with which an account joins a match. If the action is overloaded, all its IDs begin with this text.
 * @property {number} [joinCount] The number of times that the page sends `joinAction` when a player joins with *Play*. The default is 1.
 * @property {(ply: number) => number} [moveCount] Converts a ply to the number of moves that the lobby shows for a match.
 * @property {(board: Json, me?: string) => Seat[]} seats Returns the players' seats, including details that only the viewer `me` may see.
 * @property {(seat: number) => {colour: number, shape: number}} [badge] Returns the colour and the shape that represent a seat.
 * @property {(board: Json, before: Json) => number[]} [voices] Returns the seats whose sounds the page plays when `board` follows `before`, in the order of the sounds. Seats are numbered from 0 to 5.
 * @property {(board: Json, me: string, context?: RenderContext) => TurnText} turnText
 *   Returns a match's headline. It says what the viewer `me` can do now, whose turn it is, or how
 *   the match ended. Pictures and earlier boards have no `context`, so the headline must not say
 *   that somebody can act. Shared code: games/shared/turn-text.js.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [why]
 *   Returns the reason why the contract would reject the action, or null if it would accept it. If
 *   a game lacks this function, the page simulates the actions and shows the contract's error
 *   (app/rejections.js). The page never simulates secret actions. `values`: the values as
 *   typed, and the arguments of a move. Before the call, the page checks that the match isn't over
 *   and that transactions can be sent. Afterwards, it checks that the typed values are valid and
 *   that the account can pay. Shared checks for two-player games: games/shared/duel.js. A game can
 *   replace the page's message `why.<name>` with `<slug>.why.<name>`.
 * @property {(context: RenderContext, action: Action, values: Json) => I18nText|null} [whyTyped]
 *   Returns the reason why typed values contradict each other, although each value is valid on its
 *   own. `values`: the values in the form that the contract expects.
 * @property {(context: RenderContext, action: Action) => boolean} isOffered True if the page shows a button for the action. An action needs no button if a click on the board sends it. The page itself offers `claimTimeout` after the deadline.
 * @property {string} [rematchAction] The ID of the action with which the game's contract opens a rematch of a finished match. By default, a player opens a match with the same settings and invites the opponent.
 * @property {string[]} [opensAnother] The IDs of the actions with which the contract opens another match before the current match ends. Like `rematchAction`, they aren't offered if the game has a newer contract.
 * @property {(board: Json) => Json} [settingsOf] Returns the values that a player would type to open a match with this board's settings. The keys are the names of the inputs. A game needs this function only if the board stores the settings under other names than those of the inputs.
 * @property {(board: Json, me: string, opponents: Opponent[]) => Json} [rematchDraft] Returns the initial draft for the form that opens a rematch.
 * @property {string[]} [afterEnd] The IDs of the actions that a player can send only after the end of a match.
 * @property {string[]} [anyTime] The IDs of the actions that a player can send both before and after the end of a match.
 * @property {string[]} [accountOnly] The IDs of the actions that a session key can't send. A session key can't send actions with a deposit either.
 * @property {string[]} [needsSecondPress] The IDs of the actions whose button needs a second click to confirm the first one.
 * @property {(context: RenderContext, actionId: string) => Confirmation|null} [confirmationBefore]
 *   Returns the question that the player must confirm before an action is sent, or null. The page
 *   shows it instead of the action's button and inputs.
 * @property {(context: RenderContext) => boolean} [hasSecret] True if the board shows something
 *   that only the viewer `context.me` may see. If `context.me` is "", the board hides it.
 * @property {(context: RenderContext) => void} [prepare] Called before each drawing of a match in
 *   which the player can take part, and of the form for new matches, where `match` is "". It fills
 *   in the first draft and finds out, for example, whether the browser stores data. Unlike drawing,
 *   it may change state.
 * @property {(context: RenderContext) => boolean} [wantsFinality] True if the page should find out whether the latest board is final.
 * @property {(context: RenderContext) => boolean} [awaitsPlayer] True if the player `context.me` must decide something in the match. The page also calls this function for matches that aren't on display.
 * @property {(context: RenderContext, actionId: string) => {label?: I18nText, hint?: I18nText, twice?: boolean, brief?: boolean}} [buttonText]
 *   Returns the texts of a button and of the line below the button, if they differ from
 *   `action.<id>` and `hint.<id>` on this board. `twice`: true if the button needs a second click
 *   now. `brief`: true if the button's status disappears once its transaction is in a block.
 * @property {(context: RenderContext, actionId: string, input: string) => boolean} [hasInput]
 *   True if the action has this input on this board. By default, an action has all its inputs.
 * @property {(context: RenderContext, actionId: string, input: string, value: number, words: string) => string} [optionText]
 *   Returns the label of one option of a select input, for this board. `words`: the default label.
 * @property {(context: RenderContext) => string} [turnNote] Returns a short text that the page shows below the match's headline.
 * @property {string[]} [secondary] The IDs of the actions whose button is never highlighted. Buttons that need a second click are never highlighted either.
 * @property {(context: RenderContext, cell: number) => Move|null} [press] Returns the move that a
 *   click or the Enter key makes on a cell, or null. Before the page sends the move, it calls `why`
 *   or simulates the move. If the move is rejected, the reason is shown next to the board.
 * @property {string} [pressAction] The ID of the action that a click on the board sends. The page shows the action's cost before the click.
 * @property {(context: RenderContext, cell: number) => number} [select] Returns the piece that a click on a cell selects if the click makes no move, or 0 if the click selects nothing.
 * @property {(context: RenderContext, action: Action, typed: Json) => Json} [args]
 *   Returns the names and values of the ABI arguments that the player doesn't type. `typed`: the
 *   known arguments, in the form that the contract expects. For a `secret` action, the page calls
 *   this function only when it sends the action, so the function may store secrets.
 * @property {(context: RenderContext, action: Action, prefix: string) => Tree|null} [form]
 *   Returns the game's own inputs for an action, which the page shows above the buttons. These
 *   inputs store their values in `context.draft`, and their element IDs begin with `prefix`.
 * @property {boolean} [hasNewMatchPage] True if the action that opens a match has a `form`, which the page shows at `#/new/<slug>`.
 * @property {boolean} [isSlow] True if the game's picture takes a long time to compute. The lobby then draws the picture later, when the page is idle.
 * @property {(context: RenderContext) => Move|null} [autoMove] Returns the move that the page must
 *   send for the player `context.me` without a click, or null. The page calls this function after
 *   each change to a board and once per second, even for matches that aren't on display. It sends a
 *   move only once per match, ply, account and action.
 * @property {(context: RenderContext) => Tree|null} [notices] Returns notes that the player must see. The page shows them above the actions.
 * @property {(context: RenderContext) => Tree|null} [endSummary] Returns the summary that the page shows below the board after the end of a match.
 * @property {(event: ChainEvent, board: Json, events: ChainEvent[], me?: string) => Sentence[]} sentences Returns the sentences about an event in the list of moves. `events`: all events of the same transaction. `me`: the viewer's account.
 * @property {(context: RenderContext, cell: number) => string} describe
 * @property {(context: RenderContext, cell: number) => Tree|null} [inspect] Returns the details that the page shows next to a cell while the player points at the cell.
 * @property {(contractView: Json) => Json} [fromContract] Converts the answer of the contract's
 *   function `board(matchId)` to the form that `fromBoard` returns, so that the page can compare
 *   the two. In the result, integers of more than 48 bits are decimal text. Both functions follow
 *   the game's reducer. Shared code: games/shared/contract-view.js. If a game lacks the two
 *   functions, the page compares only the number of events with the contract.
 * @property {(board: Json) => Json} [fromBoard] Returns those fields of a board that the contract's function `board(matchId)` also returns.
 * @property {(context: RenderContext) => I18nText[]} [legend] Returns the legend that explains the kinds of coloured fields. The last word of each message key is the kind.
 *
 * @typedef {object} BoardInput The functions that a board calls when the player uses it. A cell of -1 means that there is no cell.
 * @property {(cell: number) => void} press
 * @property {(cell: number) => string} describe
 * @property {(cell: number) => void} point called with the cell under the pointer or the keyboard's cursor
 * @property {(cell: number) => Tree|null} inspect returns the details of a cell, which are shown next to the cell
 *
 * @typedef {object} Layout An instance of the default export of layouts/<layout>.js, a class: `new
 *   (host, hand, {still})`. Its static method `drawing(picture)` returns the drawing. The method
 *   needs no document, so it also works for image files and exports. If the drawing's ratio (width
 *   divided by height) differs from the picture's, the class also has a static method
 *   `ratio(picture)`, which returns the drawing's ratio.
 * @property {(picture: Picture) => void} show
 * @property {() => void} stop
 *
 * @typedef {{trees: Tree[], width: number, height: number}} Drawing A picture's SVG trees, with sizes in CSS pixels.
 */

export {};
