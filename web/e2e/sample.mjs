// What a script repeats: in other games, languages, widths or themes. `--some` runs a sample of it.
export const some = process.argv.includes('--some')

/** All of it, or with `--some` the first. */
export const sample = (all) => (some ? all.slice(0, 1) : all)

/** The arguments of a script but `--some`. */
export const words = process.argv.slice(2).filter((word) => word !== '--some')
