/** Whether this is the static site, which has no server: the Python in the tab answers everything. */
export const STANDALONE = import.meta.env.MODE === 'standalone'

declare const __SOURCE__: string
/** The address of the source code; empty where no release named it. */
export const SOURCE = __SOURCE__
