// Written by scripts/web-types from the server's messages; do not edit.

export type Ack = {
  type: "ack"
  key: string
  number: number
}
export type ActBody = {
  request: Play | Preview | Pledge | Reveal | Command
}
export type ActKept = {
  made: number
  act: string
  person: string
  game: string
  details: string
}
export type ActView = {
  made: number
  act: string
  moderator: string
  by: string
  person: string
  name: string
  game: string
  details: string
}
export type Against = {
  won: number
  tied: number
  lost: number
  latest: MetGame[]
}
export type AnswerBody = {
  move?: string
}
export type BanBody = {
  reason?: string
}
export type Board = {
  zones: (Grid | Track | Stack)[]
  scores: number[]
  facts: Words[]
  todo: Words | null
}
export type BotBody = {
  name: string
}
export type BotMade = {
  id: string
  name: string
  token: string
}
export type BotsView = {
  bots: PersonView[]
}
export type BranchBody = {
  record: string
  acts: number
  seats: SeatBody[]
  pace?: PaceBody
}
export type BranchView = {
  game: string
  acts: number
}
export type CeremonyView = {
  id: string
  options: unknown
}
export type ChannelKept = {
  id: string
  kind: string
  address: string
  language: string
  site: string
  made: number
  confirmed: number | null
  turns: boolean
  reminder_hours: number
  digest_minutes: number
  quiet_from: number | null
  quiet_until: number | null
  zone: string
  sent: number
}
export type ChannelMade = {
  id: string
  secret: string
}
export type ChannelView = {
  id: string
  kind: "discord" | "email" | "json" | "matrix" | "ntfy" | "push"
  name: string
  is_confirmed: boolean
  is_here: boolean
  turns: boolean
  reminder_hours: number
  digest_minutes: number
  quiet: QuietHours | null
  language: string
  last: LastMessage | null
}
export type ChannelsView = {
  has_mail: boolean
  channels: ChannelView[]
}
export type Choice = {
  words: Words
  steps: string[]
}
export type ClubBody = {
  name: string
  about?: string
  is_open?: boolean
}
export type ClubKept = {
  club: string
  name: string
  about: string
  owner: boolean
  joined: number
}
export type ClubLink = {
  secret: string
}
export type ClubListed = {
  id: string
  name: string
  about: string
  is_open: boolean
  members: number
  mine: boolean
}
export type ClubMade = {
  id: string
}
export type ClubMemberView = {
  id: string
  name: string
  owner: boolean
  events: number
  firsts: number
  points: number
}
export type ClubView = {
  id: string
  name: string
  about: string
  is_open: boolean
  count: number
  owner: string
  owner_name: string
  mine: boolean
  own: boolean
  has_link: boolean
  members: ClubMemberView[]
  events: EventListed[]
  schedules: ScheduleView[]
}
export type ClubsListed = {
  clubs: ClubListed[]
}
export type Command = {
  type: "command"
  key: string
  action: "abort" | "decline" | "leave" | "pause" | "rematch" | "resign" | "resume" | "return" | "start" | "substitute" | "takeback"
}
export type CompanyView = {
  follows: OtherView[]
  blocks: OtherView[]
  invitations: InvitedView[]
  games: GameListed[]
}
export type Compared = {
  game: string
  seat: number
  name: string
  score: number | null
  net: number | null
}
export type CredentialKept = {
  id: string
  kind: string
  label: string
  made: number
}
export type DailyBegun = {
  id: string
}
export type DailyDeal = {
  title: string
  level: string
  commitment: string
  next_commitment: string
  tries: number
  yours: DailyTry | null
}
export type DailyDeals = {
  day: string
  ends: number
  closes: number
  deals: DailyDeal[]
  streak: number
  best_streak: number
}
export type DailyKept = {
  day: string
  title: string
  game: string
  member: boolean
  started: number
  ended: number | null
  place: number | null
  score: number | null
  other: number | null
  margin: number | null
  counts: boolean
}
export type DailyRow = {
  rank: number
  person: string
  name: string
  place: number
  score: number | null
  other: number | null
}
export type DailyTable = {
  day: string
  title: string
  level: string
  rules: string
  dice: string
  commitment: string
  seed: string
  closes: number
  open: boolean
  shown: boolean
  tries: number
  guests: number
  rows: DailyRow[]
  yours: DailyTry | null
}
export type DailyTry = {
  game: string
  status: "over" | "playing"
  place: number | null
  score: number | null
  other: number | null
  ranked: boolean
  rank: number
  better_than: number | null
}
export type Decision = {
  number: number
  round: number
  seat: number
  choices: number
  played: string
  best: string
  line: string[]
  value: number
  loss: number
  points: number
  noise: number
  label: "" | "blunder" | "inaccuracy" | "mistake"
  shift: number[]
  proved: boolean
}
export type Done = {
  done: number
}
export type DossierView = {
  id: string
  name: string
  kind: string
  made: number
  banned: number | null
  moderator: boolean
  sessions: number
  tables: PlayingView[]
  reports: ReportView[]
}
export type EmailBody = {
  address: string
  language?: "de" | "en" | "es" | "fr" | "it" | "nl"
}
export type EndView = {
  reason: string
  scores: number[]
  places: number[]
  seed: string
  seal: string
}
export type EntrantView = {
  name: string
  level: string
  first: number
  left: boolean
}
export type EntriesView = {
  entries: EntryView[]
  next: number | null
}
export type EntryKept = {
  event: string
  name: string
  first: number
  last: number | null
  joined: number
}
export type EntryView = {
  number: number
  kind: string
  seat: number | null
  acts: (string | null)[]
  events: unknown[]
}
export type ErrorReply = {
  type: "error"
  key: string
  rule: string
  message: string
}
export type EventBody = {
  name: string
  title: string
  format: "knockout" | "round-robin" | "swiss"
  seats?: number
  options?: Record<string, string>
  pace?: PaceBody
  rounds?: number
  duplicate?: boolean
  fill?: "bot" | "bye"
  most?: number
  members?: boolean
  bots?: number
  level?: string
  minutes?: number
  club?: string
}
export type EventKept = {
  id: string
  name: string
  made: number
  state: string
}
export type EventListed = {
  id: string
  name: string
  title: string
  format: string
  duplicate: boolean
  seats: number
  state: string
  round: number
  rounds: number
  starts: number
  entrants: number
  most: number
  pace: string
  entered: boolean
  club: string
}
export type EventMade = {
  id: string
}
export type EventTableView = {
  round: number
  game: string
  players: number[]
  over: boolean
  points: number[]
  scores: number[]
}
export type EventVersion = {
  version: string
}
export type EventView = {
  id: string
  name: string
  title: string
  rules: string
  format: string
  duplicate: boolean
  fill: string
  seats: number
  rounds: number
  most: number
  members: boolean
  pace: string
  bank: number
  increment: number
  days: number
  starts: number
  state: string
  round: number
  latest_entry: number
  version: string
  tie_breaks: string[]
  entrants: EntrantView[]
  standings: StandingView[]
  tables: EventTableView[]
  me: number | null
  mine: boolean
  club: string
  club_name: string
}
export type EventsListed = {
  events: EventListed[]
}
export type GameBody = {
  title: string
  seats: SeatBody[]
  options?: Record<string, string>
  pace?: PaceBody
  rated?: boolean
  listed?: boolean
}
export type GameListed = {
  id: string
  title: string
  rules: string
  status: string
  number: number
  pace: string
  rated: boolean
  touched: number
  people: string[]
  my_turn: boolean
}
export type GameMade = {
  id: string
  commitment: string
  invitations: Invitation[]
}
export type GamesListed = {
  games: GameListed[]
  next: string | null
}
export type Grid = {
  type: "grid"
  id: string
  name: Words
  columns: number
  spaces: (Space | null)[]
  seat: number | null
}
export type GuestKept = {
  id: string
  name: string
  made: number
}
export type Handover = {
  type: "handover"
  to: number | null
  hidden: boolean
}
export type Hello = {
  type: "hello"
  have?: number
}
export type HereBody = {
  title: string
  players: HerePlayer[]
  options?: Record<string, string>
}
export type HereBranch = {
  record: string
  acts: number
  players: HerePlayer[]
}
export type HereGame = {
  id: string
  title: string
  names: string[]
  levels: string[]
  acts: number
  over: boolean
  places: number[]
  touched: number
}
export type HereListed = {
  games: HereGame[]
}
export type HereMade = {
  id: string
}
export type HerePlayer = {
  name: string
  level?: string
}
export type HintView = {
  number: number
  move: string
  preview: unknown
}
export type HookBody = {
  kind: "discord" | "json" | "matrix" | "ntfy"
  url: string
  room?: string
  token?: string
  language?: "de" | "en" | "es" | "fr" | "it" | "nl"
}
export type IdentityKept = {
  issuer: string
  subject: string
  made: number
}
export type ImportBody = {
  record: string
}
export type Invitation = {
  seat: number
  secret: string
}
export type InvitationKept = {
  person: string
  sender: string
  game: string
  made: number
}
export type InvitationsMade = {
  invitations: Invitation[]
}
export type InvitationsView = {
  yours: boolean
  seats: number[]
}
export type InviteBody = {
  game: string
}
export type InvitedView = {
  game: string
  title: string
  rules: string
  pace: string
  sender: string
  name: string
  made: number
}
export type JoinBody = {
  secret?: string
  seat?: number | null
}
export type JoinClubBody = {
  secret?: string
}
export type Ladder = {
  title: string
  seats: number
  ranks: LadderRank[]
}
export type LadderBody = {
  title: string
  pace?: "days" | "live" | "quick"
}
export type LadderGame = {
  id: string
  level: string
}
export type LadderKept = {
  person: string
  title: string
  seats: number
  mu: number
  sigma: number
  played: number
}
export type LadderRank = {
  id: string
  name: string
  owner: string
  level: string
  rating: number
  deviation: number
  played: number
}
export type LadderRating = {
  title: string
  seats: number
  rating: number
  deviation: number
  played: number
}
export type LastMessage = {
  state: string
  reason: string
  done: number
}
export type LastRoundView = {
  title: Text
  said: Text
  rules: string
  level: string
  seats: number
  acts: string[]
  view: unknown
}
export type Leaderboard = {
  title: string
  seats: number
  ranks: RankView[]
}
export type LessonAnswered = {
  accepted: boolean
  said: Text
  entries: EntryView[]
  view: unknown | null
  movers: number[]
}
export type LessonListed = {
  title: string
  about: Text
  steps: number
}
export type LessonMove = {
  move: string
}
export type LessonView = {
  title: string
  about: Text
  rules: string
  seat: number
  steps: StepView[]
  last_round: LastRoundView
}
export type LessonsListed = {
  lessons: LessonListed[]
}
export type Level = {
  name: string
}
export type LineView = {
  steps: ReplayStep[]
}
export type LinkBody = {
  token: string
}
export type LoginBody = {
  login: string
  password: string
}
export type LoginMethods = {
  methods: ("passkey" | "password")[]
  registration: "closed" | "invitation" | "open"
  guests: boolean
  elsewhere: string
}
export type Luck = {
  number: number
  round: number
  luck: number[]
  samples: number
  noise: number
}
export type MatchBody = {
  table: GameBody
  tables?: number
}
export type MatchMade = {
  id: string
  tables: TableMade[]
}
export type MatchView = {
  id: string
  games: string[]
  equal_deals: number
  all_deals: number
  over: boolean
  compared: Compared[]
}
export type MemberBody = {
  login: string
  password: string
  invitation?: string
}
export type MetGame = {
  game: string
  title: string
  seats: number
  ended: number
  mine: number
  theirs: number
}
export type ModerationView = {
  reports: ReportView[]
  acts: ActView[]
}
export type NameBody = {
  name: string
}
export type NewCredential = {
  id: string
  rawId: string
  response: NewKey
  type: "public-key"
}
export type NewKey = {
  clientDataJSON: string
  attestationObject: string
}
export type NewKeyBody = {
  ceremony: string
  credential: NewCredential
  invitation?: string
}
export type NewPasswordBody = {
  secret: string
  password: string
}
export type NewsKept = {
  channel: string
  kind: string
  game: string
  due: number
  state: string
  done: number | null
  reason: string
}
export type OtherKept = {
  other: string
  made: number
}
export type OtherView = {
  id: string
  name: string
  kind: string
}
export type PaceBody = {
  bank?: number | null
  increment?: number
  days?: number | null
}
export type PairingBody = {
  title: string
  seats?: number
  pace?: "days" | "live" | "quick"
}
export type PairingView = {
  state: "found" | "none" | "waiting"
  title: string
  seats: number
  pace: string
  since: number
  game: string
  there: number
}
export type PasskeyView = {
  id: string
  made: number
}
export type PasskeysView = {
  passkeys: PasskeyView[]
}
export type PasswordBody = {
  old: string
  new: string
}
export type PersonView = {
  id: string
  name: string
  kind: string
  moderator: boolean
}
export type PersonalData = {
  id: string
  also: GuestKept[]
  name: string
  kind: string
  login: string | null
  has_password: boolean
  made: number
  settings: string
  credentials: CredentialKept[]
  bots: string[]
  seats: SeatKept[]
  left: string[]
  results: ResultKept[]
  ratings: RatingKept[]
  ladder: LadderKept[]
  waiting: WaitingKept[]
  channels: ChannelKept[]
  news: NewsKept[]
  follows: OtherKept[]
  blocks: OtherKept[]
  reports: ReportKept[]
  invitations: InvitationKept[]
  dailies: DailyKept[]
  events: EntryKept[]
  events_made: EventKept[]
  clubs: ClubKept[]
  moderator: boolean
  identities: IdentityKept[]
  acts: ActKept[]
}
export type Piece = {
  text: string
  colour: "black" | "blue" | "green" | "red" | "turquoise" | "violet" | "white" | "yellow"
  shape: "card" | "disc" | "domino" | "tile"
  is_hidden: boolean
  name: Words | null
}
export type Ping = {
  type: "ping"
  n?: number
}
export type Play = {
  type: "play"
  key: string
  number: number
  move: string
}
export type PlayingView = {
  id: string
  title: string
  status: string
}
export type Pledge = {
  type: "pledge"
  key: string
  pledge: string
}
export type Pong = {
  type: "pong"
  n: number
}
export type PreferencesBody = {
  turns?: boolean
  reminder_hours?: number
  digest_minutes?: number
  quiet?: QuietHours | null
  language?: "de" | "en" | "es" | "fr" | "it" | "nl"
}
export type Presence = {
  type: "presence"
  present: number[]
  spectators: number
  away: (number | null)[]
}
export type Preview = {
  type: "preview"
  move: string
}
export type PreviewReply = {
  type: "preview"
  move: string
  preview: unknown | null
  rule: string
  message: string
  reason: string
  blanks: Record<string, string | number>
}
export type ProfileView = {
  id: string
  name: string
  kind: string
  ratings: RatingView[]
  games: RatedGame[]
  follows: boolean
  blocks: boolean
  ladder: LadderRating[]
  against: Against | null
}
export type PushBody = {
  endpoint: string
  p256dh: string
  auth: string
  language?: "de" | "en" | "es" | "fr" | "it" | "nl"
}
export type PushKey = {
  key: string
}
export type PuzzleAnswered = {
  right: boolean
  loss: number
  solution: Solution | null
  steps: ReplayStep[]
}
export type PuzzleListed = {
  id: string
  title: string
  theme: string
  difficulty: number
}
export type PuzzleView = {
  id: string
  title: string
  rules: string
  seat: number
  round: number
  theme: string
  difficulty: number
  view: unknown
  moves: string[]
  day: string
}
export type PuzzlesListed = {
  puzzles: PuzzleListed[]
}
export type QuietHours = {
  begins: number
  ends: number
  zone?: string
}
export type RankView = {
  id: string
  name: string
  kind: string
  rating: number
  played: number
}
export type RatedGame = {
  game: string
  title: string
  seats: number
  place: number
  score: number | null
  ended: number
  rating: number
}
export type RatingKept = {
  title: string
  seats: number
  mu: number
  sigma: number
  played: number
  points_mean: number | null
  points_variance: number | null
}
export type RatingView = {
  title: string
  seats: number
  rating: number
  played: number
  by_points: number | null
  error: number | null
}
export type RecordBody = {
  record: string
}
export type RecordView = {
  record: string
}
export type ReplayStep = {
  entry: EntryView
  movers: number[]
  view: unknown
  board: Board | null
}
export type ReplayView = {
  table: TableView
  steps: ReplayStep[]
  record: string
  short: string
}
export type Report = {
  title: string
  rules: string
  seats: number
  method: "first sight" | "search"
  nodes: number
  noise: number
  over: boolean
  scores: number[]
  places: number[]
  start: number[]
  values: number[][]
  decisions: Decision[]
  deals: Luck[]
  turning: number[]
  splits: Split[]
  tallies: Tally[]
}
export type ReportBody = {
  reason: "cheating" | "name" | "other" | "rude" | "stalling"
  game?: string
}
export type ReportKept = {
  other: string
  game: string
  reason: string
  made: number
}
export type ReportView = {
  made: number
  reason: string
  other: string
  name: string
  person: string
  by: string
  game: string
  banned: boolean
}
export type ResultKept = {
  game: string
  seat: number
  title: string
  seats: number
  place: number | null
  score: number | null
  ended: number
  nth: number | null
  mu: number | null
  sigma: number | null
}
export type Reveal = {
  type: "reveal"
  key: string
  number: string
}
export type ReviewView = {
  id: string
  status: "done" | "failed" | "waiting" | "working"
  done: number
  total: number
  report: Report | null
}
export type Said = {
  type: "said"
  seat: number
  phrase: "bye" | "good-game" | "good-luck" | "hello" | "nice-move" | "one-moment" | "oops" | "sorry" | "thanks" | "well-played"
}
export type Say = {
  type: "say"
  phrase: "bye" | "good-game" | "good-luck" | "hello" | "nice-move" | "one-moment" | "oops" | "sorry" | "thanks" | "well-played"
}
export type ScheduleBody = {
  name: string
  title: string
  format: "knockout" | "round-robin" | "swiss"
  seats?: number
  options?: Record<string, string>
  pace?: PaceBody
  rounds?: number
  duplicate?: boolean
  fill?: "bot" | "bye"
  most?: number
  members?: boolean
  bots?: number
  level?: string
  weekday?: number
  minute?: number
}
export type ScheduleMade = {
  id: string
}
export type ScheduleView = {
  id: string
  name: string
  title: string
  format: string
  seats: number
  weekday: number
  minute: number
}
export type SearchView = {
  title: string
  seats: number
  pace: string
  there: number
}
export type SearchesView = {
  searches: SearchView[]
}
export type SeatBody = {
  kind?: "bot" | "me" | "open"
  level?: string
}
export type SeatKept = {
  game: string
  seat: number
  title: string
  opened: number
}
export type SeatView = {
  name: string
  level: string
  is_bot: boolean
  left: boolean
  resigned: boolean
  present: boolean
  pledged: boolean
  revealed: boolean
  seconds: number | null
  away: number | null
}
export type SessionBody = {
  name: string
}
export type SessionView = {
  id: string
  label: string
  made: number
  ends: number
  here: boolean
}
export type SessionsView = {
  sessions: SessionView[]
}
export type Signature = {
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle: string | null
}
export type SignedBody = {
  ceremony: string
  credential: SignedCredential
}
export type SignedCredential = {
  id: string
  rawId: string
  response: Signature
  type: "public-key"
}
export type Sit = {
  type: "sit"
  seat: number
}
export type SitterView = {
  seat: number
  id: string
  follows: boolean
  blocks: boolean
}
export type Solution = {
  best: string
  tempting: string
  theme: string
  with_best: number
  with_tempting: number
  margin: number
  tempting_loss: number
  proved: "" | "draw" | "win"
}
export type Space = {
  id: string
  piece: Piece | null
  name: Words | null
  hint: string
}
export type Speed = {
  seconds: number
  cut: boolean
}
export type SpeedBody = {
  title: string
  level: string
}
export type Split = {
  seat: number
  start: number
  result: number
  luck: number
  own_losses: number
  others_losses: number
  rest: number
}
export type Stack = {
  type: "stack"
  id: string
  name: Words
  count: number
  top: Piece | null
  seat: number | null
}
export type StandingView = {
  entrant: number
  place: number
  points: number
  played: number
  breaks: number[]
  out: number
}
export type StepView = {
  id: string
  title: Text
  said: Text
  before: unknown
  entries: EntryView[]
  view: unknown
  movers: number[]
  moves: string[]
  solution: string
  points_at: string[]
  teaches: string[]
}
export type TableMade = {
  id: string
  invitations: Invitation[]
}
export type TablePeople = {
  seats: SitterView[]
  games: number
  wins: number[]
}
export type TableToWatch = {
  id: string
  title: string
  rules: string
  pace: string
  rated: boolean
  number: number
  touched: number
  players: WatchedPlayer[]
  spectators: number
}
export type TableView = {
  id: string
  title: string
  rules: string
  number: number
  status: string
  seat: number | null
  movers: number[]
  seats: SeatView[]
  spectators: number
  commitment: string
  rated: boolean
  asked: string
  agreed: number[]
  next_game: string
  view: unknown
  moves: string[]
  end: EndView | null
  branch: BranchView | null
  daily: string
  board: Board | null
  choices: Choice[]
}
export type TablesToWatch = {
  games: TableToWatch[]
}
export type Tally = {
  seat: number
  decisions: number
  mean_loss: number
  inaccuracies: number
  mistakes: number
  blunders: number
}
export type Text = {
  en: string
  nl: string
  fr: string
  de: string
  es: string
  it: string
}
export type TextsView = {
  title: string
  texts: Record<string, string | Record<string, string>>
  rules: string
}
export type TitleView = {
  title: string
  edition: number
  levels: Level[]
  seats: number[]
  is_installed: boolean
}
export type TitlesView = {
  titles: TitleView[]
}
export type TokenBody = {
  label?: string
  days?: number
}
export type TokenMade = {
  id: string
  token: string
}
export type Track = {
  type: "track"
  id: string
  name: Words
  spaces: Space[]
  seat: number | null
}
export type TurnsView = {
  tables: TableView[]
}
export type Update = {
  type: "update"
  entries: EntryView[]
  table: TableView
}
export type WaitingKept = {
  title: string
  seats: number
  pace: string
  since: number
}
export type WatchedPlayer = {
  name: string
  rating: number | null
}
export type Words = {
  key: string
  blanks: Record<string, string | number>
}
export type FromClient = Hello | Play | Preview | Pledge | Reveal | Command | Say | Ping
export type FromServer = Update | Ack | ErrorReply | PreviewReply | Presence | Said | Pong

export namespace Azul {
  export type Board = {
    score: number
    lines: [string, string, string, string, string]
    wall: [string, string, string, string, string]
    floor: string
  }
  export type BonusScored = {
    type: "BonusScored"
    seat: number
    kind: "colour" | "column" | "row"
    count: number
    each: number
    points: number
    rule: string
  }
  export type Chance = {
    type: "chance"
  }
  export type Choose = {
    type: "choose"
    seats: number[]
  }
  export type Config = {
    seats: number
    wall: "coloured" | "grey"
  }
  export type DraftingEnded = {
    type: "DraftingEnded"
    round: number
    rule: string
  }
  export type FactoryFilled = {
    type: "FactoryFilled"
    factory: number
    tiles: string
  }
  export type FloorScored = {
    type: "FloorScored"
    seat: number
    tiles: string
    costs: number[]
    points: number
    rule: string
  }
  export type GameEnded = {
    type: "GameEnded"
    scores: number[]
    places: number[]
    rule: "AZ42" | "AZ44" | "AZ50"
  }
  export type LidPoured = {
    type: "LidPoured"
    tiles: number
    factory: number
    rule: string
  }
  export type MarkerTaken = {
    type: "MarkerTaken"
    seat: number
    space: number | null
    rule: string
  }
  export type Over = {
    type: "over"
    scores: number[]
    places: number[]
  }
  export type Preview = {
    points: number
    line: number | null
    spaces: number[]
    marker: boolean
    floor: number[]
    lid: number
    floor_cost: number
    placed: TilePlaced[]
    score: number
  }
  export type RoundStarted = {
    type: "RoundStarted"
    round: number
    start: number
  }
  export type StartDecided = {
    type: "StartDecided"
    seat: number
    rule: "AZ24" | "AZ43"
  }
  export type TilePlaced = {
    type: "TilePlaced"
    seat: number
    row: number
    column: number
    colour: string
    across: number
    down: number
    points: number
    lid: number
    rule: string
  }
  export type TilesFell = {
    type: "TilesFell"
    seat: number
    colour: string
    spaces: number[]
    lid: number
    rule: "AZ13" | "AZ16" | "AZ32"
  }
  export type TilesLaid = {
    type: "TilesLaid"
    seat: number
    line: number
    colour: string
    spaces: number[]
    rule: string
  }
  export type TilesTaken = {
    type: "TilesTaken"
    seat: number
    source: number | null
    colour: string
    count: number
    rest: string
    rule: string
  }
  export type View = {
    seat: number | null
    turn: Chance | Choose | Over
    config: Config
    boards: Board[]
    bag: [number, number, number, number, number]
    lid: [number, number, number, number, number]
    factories: string[]
    centre: string
    round: number
    start: number
  }
  export type Event = RoundStarted | LidPoured | FactoryFilled | TilesTaken | MarkerTaken | TilesLaid | TilesFell | DraftingEnded | TilePlaced | FloorScored | StartDecided | BonusScored | GameEnded
}

export namespace Duel {
  export type AcquiringEnded = {
    type: "AcquiringEnded"
    round: number
    rule: string
  }
  export type Board = {
    score: number
    lines: string[]
    dome: string[]
    tiles: string[]
    broken: string
    chips: string
    spent: string
    row: number
  }
  export type BrokenScored = {
    type: "BrokenScored"
    seat: number
    tiles: string
    cost: number
    start_tile_cost: number
    points: number
    rule: string
  }
  export type Chance = {
    type: "chance"
  }
  export type ChipRevealed = {
    type: "ChipRevealed"
    factory: number
    chip: string
    rule: string
  }
  export type ChipTaken = {
    type: "ChipTaken"
    seat: number
    factory: number
    chip: string
    rule: string
  }
  export type ChipsPaid = {
    type: "ChipsPaid"
    seat: number
    row: number
    chips: string
    missing: number
    rule: string
  }
  export type Choose = {
    type: "choose"
    seats: number[]
  }
  export type Config = {
    seats: number
    faces: ("colour_rows" | "columns" | "corners" | "diagonals" | "empty_specials" | "jokers" | "outer" | "rows")[]
    special_counts_as_colour: boolean | "alone"
    free_draws: "always" | "forced"
  }
  export type FaceScored = {
    type: "FaceScored"
    seat: number
    face: "colour_rows" | "columns" | "corners" | "diagonals" | "empty_specials" | "jokers" | "outer" | "rows"
    count: number
    each: number
    points: number
    rule: string
  }
  export type Factory = {
    sun: string
    moon: string
    chip: string
  }
  export type FactoryFilled = {
    type: "FactoryFilled"
    factory: number
    tiles: string
    rule: string
  }
  export type GameEnded = {
    type: "GameEnded"
    scores: number[]
    places: number[]
    rule: string
  }
  export type MoonsTaken = {
    type: "MoonsTaken"
    seat: number
    colour: string
    counts: number[]
    rule: string
  }
  export type Over = {
    type: "over"
    scores: number[]
    places: number[]
  }
  export type Passed = {
    type: "Passed"
    seat: number
    rule: string
  }
  export type PlateDrawn = {
    type: "PlateDrawn"
    seat: number
    kind: string
    points: number
    rule: "DU20" | "DU22"
  }
  export type PlatePlaced = {
    type: "PlatePlaced"
    seat: number
    plate: string
    slot: number
    drawn: boolean
    rule: "DU12" | "DU20"
  }
  export type PlateReturned = {
    type: "PlateReturned"
    seat: number
    plate: string
    rule: string
  }
  export type PlatesOpened = {
    type: "PlatesOpened"
    plates: string[]
    rule: "DU10" | "DU12" | "DU40"
  }
  export type PlatesSeen = {
    type: "PlatesSeen"
    seat: number
    plates: string[]
    rule: string
  }
  export type Preview = {
    points: number
    line: number | null
    spaces: number[]
    start_tile: boolean
    broken: number[]
    tower: number
    breaking: TilesBroke[]
    broken_cost: number
    placed: (TilePlaced | SpecialPlaced)[]
    score: number
  }
  export type RoundStarted = {
    type: "RoundStarted"
    round: number
    start: number
  }
  export type ScoreRaised = {
    type: "ScoreRaised"
    seat: number
    points: number
    rule: string
  }
  export type SeenBack = {
    face: string
    known: number[]
    lost: number[]
  }
  export type SpecialPlaced = {
    type: "SpecialPlaced"
    seat: number
    row: number
    column: number
    points: number
    rule: string
  }
  export type StackShuffled = {
    type: "StackShuffled"
    start: number
    kinds: string
    rule: string
  }
  export type StartDecided = {
    type: "StartDecided"
    seat: number
    rule: string
  }
  export type StartTileTaken = {
    type: "StartTileTaken"
    seat: number
    rule: string
  }
  export type SunTaken = {
    type: "SunTaken"
    seat: number
    factory: number
    colour: string
    count: number
    rest: string
    rule: string
  }
  export type TilePlaced = {
    type: "TilePlaced"
    seat: number
    row: number
    column: number
    colour: string
    across: number
    down: number
    points: number
    tower: number
    rule: string
  }
  export type TilesBroke = {
    type: "TilesBroke"
    seat: number
    colour: string
    spaces: number[]
    tower: number
    rule: "DU27" | "DU32"
  }
  export type TilesLaid = {
    type: "TilesLaid"
    seat: number
    line: number
    colour: string
    spaces: number[]
    rule: string
  }
  export type TilesStacked = {
    type: "TilesStacked"
    seat: number
    factory: number
    tiles: string
    rule: string
  }
  export type TokenPlaced = {
    type: "TokenPlaced"
    seat: number
    left: number
    rule: string
  }
  export type TowerPoured = {
    type: "TowerPoured"
    tiles: number
    factory: number
    rule: "DU11" | "DU40"
  }
  export type View = {
    seat: number | null
    turn: Chance | Choose | Over
    config: Config
    boards: Board[]
    tokens: number[]
    chips_due: number[]
    bag: [number, number, number, number, number]
    tower: [number, number, number, number, number]
    factories: Factory[]
    stack: SeenBack[]
    open: string[]
    hand: SeenBack[]
    lost: string[]
    chips: string
    specials: number
    phase: "act" | "draw" | "first" | "keep" | "over" | "prepare" | "return" | "stack" | "tile"
    round: number
    start: number
    current: number
    holder: number | null
    stacking: number
  }
  export type Event = StackShuffled | PlatesOpened | RoundStarted | TowerPoured | FactoryFilled | ChipRevealed | TokenPlaced | PlateDrawn | PlatesSeen | PlatePlaced | PlateReturned | SunTaken | TilesStacked | MoonsTaken | StartTileTaken | ChipTaken | TilesLaid | TilesBroke | Passed | AcquiringEnded | ChipsPaid | TilePlaced | SpecialPlaced | BrokenScored | StartDecided | FaceScored | ScoreRaised | GameEnded
}

export namespace Blockers {
  export type Board = {
    colours: string
    faces: string
  }
  export type Chance = {
    type: "chance"
  }
  export type Choose = {
    type: "choose"
    seats: number[]
  }
  export type Config = {
    seats: number
    scoring: "blockers" | "uptown"
  }
  export type GameEnded = {
    type: "GameEnded"
    scores: number[]
    places: number[]
    rule: "BL20" | "BL32"
  }
  export type Hand = {
    colour: string
    owner: number
    rack: string | null
    held: number
    supply: number
    played: number
    unseen: string
    aside: string
  }
  export type LastRoundStarted = {
    type: "LastRoundStarted"
    rule: string
  }
  export type Over = {
    type: "over"
    scores: number[]
    places: number[]
  }
  export type Preview = {
    points: number
    cell: number | null
    captures: string | null
    before: Tally
    after: Tally
  }
  export type RackShown = {
    type: "RackShown"
    seat: number
    colour: string
    rack: string
    rule: "BL20" | "BL32"
  }
  export type SeatScored = {
    type: "SeatScored"
    seat: number
    tally: Tally
    rule: "BL21" | "BL23" | "BL33"
  }
  export type StartDrawn = {
    type: "StartDrawn"
    seat: number
    rule: string
  }
  export type Tally = {
    groups: number[]
    captured: number[]
    counted: string | null
    score: number
  }
  export type TileCaptured = {
    type: "TileCaptured"
    seat: number
    cell: number
    colour: string
    face: string
    group: number
    rest: number
    rule: string
  }
  export type TilePlaced = {
    type: "TilePlaced"
    seat: number
    cell: number
    colour: string
    face: string
    joined: number[]
    group: number
    rule: string
  }
  export type TilePutAside = {
    type: "TilePutAside"
    seat: number
    colour: string
    face: string
    rule: string
  }
  export type TilesDrawn = {
    type: "TilesDrawn"
    seat: number
    colour: string
    count: number
    supply: number
    tiles: string | null
    rule: "BL03" | "BL16"
  }
  export type View = {
    seat: number | null
    turn: Chance | Choose | Over
    config: Config
    board: Board
    hands: Hand[]
    captured: string[]
    tallies: Tally[]
    start: number | null
  }
  export type Event = StartDrawn | TilesDrawn | LastRoundStarted | TileCaptured | TilePlaced | TilePutAside | RackShown | SeatScored | GameEnded
}
