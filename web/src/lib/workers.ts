// Trusted types: the only scripts that may become workers.
import { STANDALONE } from './standalone'

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): { createScriptURL(address: string): unknown }
}

export const SERVICE_WORKER = STANDALONE ? './worker.js' : '/worker.js'
const PYTHON_WORKER = /^(\/|\.\/|https?:\/\/[^/]+\/[\w./-]*)python\/worker-[\w-]+\.js$/

function check(address: string): string {
  const ours = address === SERVICE_WORKER || (PYTHON_WORKER.test(address) && new URL(address, location.href).origin === location.origin)
  if (!ours) throw new TypeError(`not a worker of ours: ${address}`)
  return address
}

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
const policy = trustedTypes?.createPolicy('tessella-worker', { createScriptURL: check })

/** Return an address that the browser accepts for a worker; raise for any that is not ours. */
export function trusted(address: string): unknown {
  return policy ? policy.createScriptURL(address) : check(address)
}
