"""A daemon in a process of its own, for tests that kill it: `child.py URL SMTP_PORT IMAP_PORT HOURS...`."""

from __future__ import annotations

import sys

from tests.daemon.village import hours, open_daemon


def main() -> None:
    url, smtp_port, imap_port, *moments = sys.argv[1:]
    daemon, house = open_daemon(url, int(smtp_port), int(imap_port))
    with house.store.alone():
        for moment in moments:
            now = hours(float(moment))
            # What `run` does first: claims of the process before are given back.
            house.store.outgoing.release(now)
            step = daemon.step(now)
            if step.trouble or step.delivered.trouble:
                sys.exit(f"{step.trouble} {step.delivered.trouble}")


if __name__ == "__main__":
    main()
