#!/bin/sh
# backup.sh DATABASE FOLDER: a consistent copy of a running SQLite database; the newest 30 are kept.
# PostgreSQL hosts use pg_dump instead.
set -eu
database=$1
folder=$2
mkdir -p "$folder"
copy="$folder/pbem-$(date -u +%Y%m%dT%H%M%SZ).sqlite"
python3 -c '
import sqlite3, sys
source, target = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
with target:
    source.backup(target)
if target.execute("pragma integrity_check").fetchone() != ("ok",):
    sys.exit("the copy is damaged")
' "$database" "$copy"
gzip "$copy"
ls -1 "$folder"/pbem-*.sqlite.gz | sort -r | tail -n +31 | while read -r old; do rm -- "$old"; done
