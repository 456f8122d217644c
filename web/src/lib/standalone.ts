/** Whether this is the static site, which has no server: the Python in the tab answers everything. */
export const STANDALONE = import.meta.env.MODE === 'standalone'
