"""E-mail by SMTP, as the host has set it up, with links to unsubscribe by one click (RFC 8058).

The URL of the mail server says how it is reached: `smtps://` by TLS, `smtp://` by STARTTLS, which it must offer, and
`smtp+plain://` without, for a mail server on the same machine.
"""

import asyncio
import html
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Self
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from tessella.server.services.news.webhooks import Message
from tessella.server.services.outgoing import OutcomeUnknown

SMTP_SECONDS = 15.0
"""For each step of one delivery."""

DEADLINE_SECONDS = 40.0
"""For one delivery: all steps together."""

PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}

THREADS = ThreadPoolExecutor(8, "mail")
"""A mail server that hangs blocks these threads and no others."""

CTE = "quoted-printable"
"""Every mail server takes it."""

PERMANENT = 500
"""From this reply code on, trying again is of no use."""


class Rejected(Exception):
    """The mail server refuses this message for good, such as for an address that does not exist."""


class Busy(Exception):
    """The mail server does not take this message now, but may later."""


class MailServer(Struct, frozen=True):
    """How mail is sent, and from which address."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    sender: str
    context: ssl.SSLContext | None = None

    @classmethod
    def read(cls, url: str, sender: str) -> Self:
        """Return the mail server of a URL such as smtps://user:password@mail.example.org:465."""
        where = urlsplit(url)
        port = where.port or PORTS[where.scheme]
        user, password = (unquote(part or "") for part in (where.username, where.password))
        return cls(where.scheme, where.hostname or "", port, user, password, sender)

    async def send(self, mail: EmailMessage) -> None:
        """Send a mail.

        Raise `Rejected` if that is of no use, `Busy` if it may be later, `OutcomeUnknown` if the server may have
        accepted it, and another OSError if it has not.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await loop.run_in_executor(THREADS, self._send, mail)
        except TimeoutError as exc:
            raise OutcomeUnknown("no answer of the mail server") from exc

    def _send(self, mail: EmailMessage) -> None:
        try:
            server = self._connect()
        except (smtplib.SMTPException, TimeoutError) as exc:
            raise ConnectionError("the mail server is not there") from exc
        try:
            self._log_in(server)
            _offer(server, self.sender, mail)
            _hand_over(server, mail)
        except (smtplib.SMTPException, TimeoutError) as exc:
            raise ConnectionError("the mail server failed") from exc
        finally:
            with suppress(OSError, smtplib.SMTPException):  # the mail is taken or refused by now
                server.quit()
            server.close()

    def _connect(self) -> smtplib.SMTP:
        if self.scheme == "smtps":
            return smtplib.SMTP_SSL(self.host, self.port, timeout=SMTP_SECONDS, context=self._tls())
        return smtplib.SMTP(self.host, self.port, timeout=SMTP_SECONDS)

    def _log_in(self, server: smtplib.SMTP) -> None:
        if self.scheme == "smtp":
            server.starttls(context=self._tls())
        if self.user:
            server.login(self.user, self.password)

    def _tls(self) -> ssl.SSLContext:
        return self.context or ssl.create_default_context()


def _offer(server: smtplib.SMTP, sender: str, mail: EmailMessage) -> None:
    """Name sender and recipient, which the server may refuse."""
    server.ehlo_or_helo_if_needed()
    for code, _ in (server.mail(sender), server.rcpt(mail["to"].addresses[0].addr_spec)):
        _check(code)


def _hand_over(server: smtplib.SMTP, mail: EmailMessage) -> None:
    """Send the content. Until the server has answered, it is unknown whether it has taken the mail."""
    code, _ = server.docmd("data")
    if code != 354:
        _check(code)
        raise Busy("the mail server does not take the mail now")
    try:
        server.send(_dotted(mail.as_bytes()))
        code, _ = server.getreply()
    except (OSError, smtplib.SMTPException) as exc:
        raise OutcomeUnknown("no answer after the mail was sent") from exc
    _check(code)


def _dotted(content: bytes) -> bytes:
    """Return the content of a mail as it is sent after DATA: lines that start with a dot get another one."""
    return content.replace(b"\r\n.", b"\r\n..") + b".\r\n"


def _check(code: int) -> None:
    if code >= PERMANENT:
        raise Rejected(f"the mail server refuses it: {code}")
    if not 200 <= code < 300:
        raise Busy(f"the mail server does not take it now: {code}")


# Writing


def compose(message: Message, sender: str, to: str, *, why: str, unsubscribe: str, leave: str) -> EmailMessage:
    """Return a mail in plain text and HTML. `unsubscribe` is the link for RFC 8058, and `leave` its text."""
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = message.subject
    mail["From"] = Address("Tessella", addr_spec=sender)
    mail["To"] = Address(addr_spec=to)
    mail["Date"] = format_datetime(datetime.fromtimestamp(message.at, UTC))
    mail["Message-ID"] = f"<{message.id}@{sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["List-Unsubscribe"] = f"<{unsubscribe}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content("\n\n".join([*message.lines, f"{why}\n{leave}: {unsubscribe}"]) + "\n", cte=CTE)
    mail.add_alternative(_page(message, why, unsubscribe, leave), subtype="html", cte=CTE)
    return mail


def _page(message: Message, why: str, unsubscribe: str, leave: str) -> str:
    lines = "".join(f"<p>{_linked(line)}</p>" for line in message.lines)
    foot = f'<p><small>{html.escape(why)} <a href="{html.escape(unsubscribe)}">{html.escape(leave)}</a></small></p>'
    return f"<html><body>{lines}{foot}</body></html>"


def _linked(line: str) -> str:
    """Return a line as HTML; what ends in a URL after a colon becomes a link."""
    words, colon, url = line.rpartition(": http")
    if not colon:
        return html.escape(line)
    return f'<a href="{html.escape("http" + url)}">{html.escape(words.rstrip())}</a>'
