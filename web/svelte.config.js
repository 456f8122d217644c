// `tree` builds elements one by one, so that no HTML text is ever parsed: that is what trusted types ask for.
export default { compilerOptions: { runes: true, fragments: 'tree' } }
