"""News of turns beyond the open page: Web Push, e-mail and webhooks, with reminders, quiet hours and digests.

`channels` is where people get their news, `turns` writes down what there is to say, `timing` decides when it is said,
`delivery` sends it, at most once visibly, by `mail`, `webhooks` or Web Push. A message names games and links to them,
never what lies on a table nor who else sits there.
"""
