"""A daemon in a process of its own, for tests that kill it.

`child.py URL SMTP_PORT IMAP_PORT HOUR...` does a round at each of these hours after the start; without hours it works
until it is told to stop.
"""

from __future__ import annotations

import logging
import sys

from pbem.campaign.house import House
from pbem.daemon import Daemon
from tests.daemon.village import hours, open_daemon
from tests.office_bench import NOON


def main() -> None:
    url, smtp_port, imap_port, *moments = sys.argv[1:]
    daemon, house = open_daemon(url, int(smtp_port), int(imap_port), clock=lambda: NOON)
    if moments:
        do_rounds(daemon, house, moments)
    else:
        logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
        daemon.run()


def do_rounds(daemon: Daemon, house: House, moments: list[str]) -> None:
    with house.store.alone():
        for moment in moments:
            now = hours(float(moment))
            # What `run` does first: claims of the process before are given back.
            house.store.outgoing.release(now)
            done = daemon.work_once(now)
            if done.trouble or done.delivered.trouble:
                sys.exit(f"{done.trouble} {done.delivered.trouble}")


if __name__ == "__main__":
    main()
