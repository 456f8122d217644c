"""E-mail by a real SMTP server: what it says, how it gets there, and what is known when it does not."""

import asyncio
import socket
import ssl
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from proofs.abuse.push_services import certificate
from tessella.server.services.news import mail
from tessella.server.services.news.mail import Busy, MailServer, Rejected, compose
from tessella.server.services.news.webhooks import Message
from tessella.server.services.outgoing import OutcomeUnknown
from tests.server.conftest import free_port

SENDER = "news@play.example.org"
LINK = "https://play.example.org/unsubscribe/abc"


class Mailbox:
    """What a mail server does with what it gets."""

    def __init__(self, *, rcpt="250 OK", data="250 OK"):
        self.mails, self.logins = [], []
        self.rcpt, self.data = rcpt, data

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(message_from_bytes(envelope.content, policy=default))
        if not self.data:  # it hangs up
            server.transport.abort()
        return self.data

    def login(self, server, session, envelope, mechanism, data):
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"a secret")


class OverTls(Controller):
    """A server that speaks TLS from the first byte; its own check would use a context that trusts nobody."""

    def _trigger_server(self):
        anyone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection((self.hostname, self.port)) as line, anyone.wrap_socket(line) as sealed:
            sealed.recv(100)


@contextmanager
def serving(box, *, kind=Controller, **more):
    port = free_port()
    controller = kind(box, hostname="127.0.0.1", port=port, authenticator=box.login, ready_timeout=120.0, **more)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@pytest.fixture
def tls(tmp_path):
    """The contexts of a server and of a client that trusts it."""
    certified, key = certificate(tmp_path)
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    server.load_cert_chain(certified, key)
    client.load_verify_locations(certified)
    return server, client


def a_mail():
    line = "Azul, c’est à vous de jouer : https://play.example.org/table/a1"
    message = Message("abc", "turn", 1_700_000_000.0, "À vous de jouer : Azul", (line,), "https://play.example.org")
    return compose(message, SENDER, "ann@example.org", why="Asked <for>.", unsubscribe=LINK, leave="Se désabonner")


def by(scheme, port, user="", password="", context=None):
    return MailServer(scheme, "localhost", port, user, password, SENDER, context)


async def test_a_mail_arrives_whole():
    box = Mailbox()
    with serving(box) as port:
        await by("smtp+plain", port).send(a_mail())
    (got,) = box.mails
    assert got["subject"] == "À vous de jouer : Azul"
    assert (got["from"], got["to"]) == ("Tessella <news@play.example.org>", "ann@example.org")
    assert got["message-id"] == "<abc@play.example.org>"
    assert got["list-unsubscribe"] == f"<{LINK}>"
    assert got["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    plain, page = (got.get_body((kind,)).get_content() for kind in ("plain", "html"))
    assert "c’est à vous de jouer : https://play.example.org/table/a1" in plain
    assert f"Se désabonner: {LINK}" in plain
    assert '<a href="https://play.example.org/table/a1">Azul, c’est à vous de jouer</a>' in page
    assert "Asked &lt;for&gt;." in page


async def test_by_starttls_and_a_login(tls):
    box = Mailbox()
    with serving(box, tls_context=tls[0], require_starttls=True) as port:
        await by("smtp", port, "ann", "a secret", tls[1]).send(a_mail())
    assert len(box.mails) == 1
    assert box.logins == [(b"ann", b"a secret")]


async def test_by_tls_from_the_start(tls):
    box = Mailbox()
    with serving(box, kind=OverTls, ssl_context=tls[0]) as port:
        await by("smtps", port, context=tls[1]).send(a_mail())
    assert len(box.mails) == 1


async def test_nothing_is_sent_without_the_tls_that_was_asked_for():
    box = Mailbox()
    with serving(box) as port, pytest.raises(ConnectionError):
        await by("smtp", port, "ann", "a secret").send(a_mail())
    assert (box.mails, box.logins) == ([], [])


async def test_a_certificate_of_nobody_is_refused(tls):
    box = Mailbox()
    with serving(box, tls_context=tls[0]) as port, pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        await by("smtp", port).send(a_mail())
    assert box.mails == []


@pytest.mark.parametrize(
    ("box", "raised"),
    [
        (Mailbox(rcpt="550 nobody here"), Rejected),
        (Mailbox(rcpt="451 come back"), Busy),
        (Mailbox(data="552 too much"), Rejected),
        (Mailbox(data="452 no space"), Busy),
    ],
)
async def test_a_refusal_is_for_good_or_for_now(box, raised):
    with serving(box) as port, pytest.raises(raised):
        await by("smtp+plain", port).send(a_mail())


async def test_after_the_content_an_answer_that_does_not_come_leaves_the_outcome_unknown():
    box = Mailbox(data="")
    with serving(box) as port, pytest.raises(OutcomeUnknown):
        await by("smtp+plain", port).send(a_mail())
    assert len(box.mails) == 1


async def test_a_server_that_is_not_there_has_not_got_it():
    with pytest.raises(ConnectionError):
        await by("smtp+plain", free_port()).send(a_mail())


async def test_a_server_that_says_nothing_is_given_up(monkeypatch):
    async def silent(reader, writer):
        await reader.read()
        writer.close()
        over.set()

    over = asyncio.Event()
    monkeypatch.setattr(mail, "SMTP_SECONDS", 0.5)
    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    with pytest.raises(ConnectionError):
        await by("smtp+plain", server.sockets[0].getsockname()[1]).send(a_mail())
    await over.wait()
    server.close()


def test_the_url_of_a_mail_server():
    found = MailServer.read("smtps://ann%40example.org:a%2Fb@mail.example.org", SENDER)
    assert (found.scheme, found.host, found.port) == ("smtps", "mail.example.org", 465)
    assert (found.user, found.password) == ("ann@example.org", "a/b")
    assert MailServer.read("smtp+plain://localhost:2525", SENDER).port == 2525
