// The line from a page to a game at this device.
import type { FromClient, FromServer, Handover, Preview, Sit } from '../protocol.gen'
import type { Handlers, Link, NewRequest, Request } from '../lib/transport'

export class HereLink implements Link {
  private readonly key = crypto.randomUUID()
  private readonly python = import('./python')
  private closed = false

  constructor(
    game: string,
    private readonly handlers: Handlers,
  ) {
    handlers.state('connecting')
    void this.python.then(({ connect }) => connect(this.key, game, (message) => this.receive(message)))
    this.send({ type: 'hello', have: handlers.lastEntry() })
  }

  request(request: NewRequest): string {
    const key = crypto.randomUUID()
    this.send({ ...request, key } as Request)
    return key
  }

  ask(question: Preview): void {
    this.send(question)
  }

  sit(seat: number): void {
    this.send({ type: 'sit', seat })
  }

  close(): void {
    this.closed = true
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
