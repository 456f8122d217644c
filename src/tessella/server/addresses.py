"""IP addresses: which are public, which are this machine, and which belong to one subnet.

Push notifications are sent to public addresses only. `ipaddress.is_global` is not strict enough: it accepts IPv6
addresses that embed an IPv4 address (NAT64, 6to4, Teredo, mapped ones), through which a gateway may reach a private
network. Public here means IPv6 global unicast without its reserved ranges, and IPv4 without the IANA special-purpose
registry.
"""

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

GLOBAL_UNICAST = IPv6Network("2000::/3")

RESERVED_IPV6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # IETF protocols: Teredo, benchmarks, ORCHID …
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)

RESERVED_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by carriers
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # IETF protocols
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)


def is_public(text: str) -> bool:
    """Return whether an address is public; raise ValueError if it is not an IP address.

    >>> is_public("1.1.1.1"), is_public("2606:4700:4700::1111"), is_public("64:ff9b::10.0.0.1")
    (True, True, False)
    """
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        is_special = address.scope_id is not None or address not in GLOBAL_UNICAST
        return not is_special and not any(address in network for network in RESERVED_IPV6)
    return not any(address in network for network in RESERVED_IPV4)


def subnet_of(address: str) -> str:
    """Return the network of one customer: the address itself, or its /64 for IPv6.

    >>> subnet_of("2001:db8::1:2:3:4") == subnet_of("2001:db8::ffff:2:3:4")
    True
    """
    try:
        whole = ip_address(address)
    except ValueError:
        return address
    return whole.exploded[:19] if isinstance(whole, IPv6Address) else address


def is_local(address: str) -> bool:
    """Return whether an address is this machine: a local program, or a proxy that names no client."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return not address
