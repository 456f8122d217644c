// How one becomes a member of this server and logs in; a server that has only guests knows no way.
import type { WaysSeen } from '../wire'
import { ask } from './api'

export type Way = WaysSeen['ways'][number]

export async function waysHere(): Promise<Way[]> {
  return (await ask<WaysSeen>('GET', '/api/members')).ways
}
