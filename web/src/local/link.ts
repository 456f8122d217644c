// The line from a page to a game at this device.
import type { FromClient, FromServer, Handover, Preview, Say, Sit } from '../protocol.gen'
import type { Handlers, Link, NewRequest, Request } from '../lib/transport'

export class HereLink implements Link {
  private readonly key = crypto.randomUUID()
  private readonly python = import('./python')
  private closed = false
  private release = (): void => undefined

  constructor(
    private readonly game: string,
    private readonly handlers: Handlers,
  ) {
    handlers.state('connecting')
    this.claim().catch(() => undefined)
  }

  /** Connect as soon as no other tab shows this game: two that play on would overwrite each other's moves. */
  private async claim(): Promise<void> {
    const { locks } = navigator
    if (!locks) return this.connect()
    const name = `tessella.game.${this.game}`
    const wasFree = await new Promise<boolean>((tried) => {
      void locks.request(name, { ifAvailable: true }, (lock) => {
        tried(lock !== null)
        return lock ? this.hold() : undefined
      })
    })
    if (wasFree || this.closed) return
    this.handlers.state('elsewhere')
    await locks.request(name, () => (this.closed ? undefined : this.hold()))
  }

  /** Play until this line is closed. */
  private async hold(): Promise<void> {
    const closed = new Promise<void>((release) => (this.release = release))
    await this.connect()
    await closed
  }

  private async connect(): Promise<void> {
    const { connect } = await this.python
    if (this.closed) return
    await connect(this.key, this.game, (message) => this.receive(message))
    this.send({ type: 'hello', have: this.handlers.lastEntry() })
  }

  request(request: NewRequest): string {
    const key = crypto.randomUUID()
    this.send({ ...request, key } as Request)
    return key
  }

  ask(question: Preview): void {
    this.send(question)
  }

  say(message: Say): void {
    this.send(message)
  }

  sit(seat: number): void {
    this.send({ type: 'sit', seat })
  }

  close(): void {
    this.closed = true
    this.release()
    void this.python.then(({ disconnect }) => disconnect(this.key))
  }

  private send(message: FromClient | Sit): void {
    void this.python.then(({ send }) => send(this.key, message))
  }

  private receive(message: FromServer | Handover): void {
    if (this.closed) return
    if (message.type === 'handover') return this.handlers.handover?.(message)
    if (message.type === 'update') this.handlers.state('live')
    this.handlers.receive(message)
  }
}
