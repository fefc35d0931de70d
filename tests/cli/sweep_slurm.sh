#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: a cluster is started
#
# A real Slurm of one node runs the script of examples/campaigns as an array of four; one task is
# killed and requeued; the merged shards have the digest of one process.
set -euo pipefail
tactus=$(realpath "$1")
source_dir=$PWD
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
for program in slurmctld slurmd sbatch munged munge; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null ||
    { echo "$program is not installed (slurmctld slurmd slurm-client munge)"; exit 77; }
done
[[ $(id -u) == 0 ]] || { echo "a Slurm for a test is started by root only"; exit 77; }
PATH=$PATH:/usr/sbin

# Everything of the cluster is in the scratch folder, but for the daemon of munge if there is one.
host=$(hostname -s)
mkdir "$work/state" "$work/spool"
# What is requeued waits until its credentials have expired, two minutes if not told otherwise.
cat >"$work/slurm.conf" <<END
ClusterName=t
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
AuthInfo=cred_expire=10
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf
end_cluster() {
  local file
  for file in slurmd slurmctld munged; do
    [[ ! -s $work/$file.pid ]] || kill "$(cat "$work/$file.pid")" 2>/dev/null || true
  done
  sleep 1
  rm -rf "$work"
}
trap end_cluster EXIT
if ! munge -n </dev/null >/dev/null 2>&1; then
  mkdir -p /run/munge /var/log/munge /var/lib/munge
  chown munge: /run/munge /var/log/munge /var/lib/munge
  [[ -s /etc/munge/munge.key ]] || mungekey -c
  chown munge: /etc/munge /etc/munge/munge.key
  setpriv --reuid=munge --regid=munge --clear-groups munged ||
    { echo "munged does not start here"; exit 77; }
  sleep 1
  cp /run/munge/munged.pid "$work/munged.pid" 2>/dev/null || true
fi
slurmctld -f "$SLURM_CONF" || { echo "slurmctld does not start here"; exit 77; }
slurmd -f "$SLURM_CONF" || { echo "slurmd does not start here"; cat "$work/slurmd.log"; exit 77; }
for ((i = 0; i < 60; ++i)); do
  [[ $(sinfo -h -o %T 2>/dev/null) != idle ]] || break
  sleep 1
done
[[ $(sinfo -h -o %T) == idle ]] || { echo "the node does not become idle"; exit 77; }

cat >"$work/drop.toml" <<'END'
extends = "ball_drop"
[design]
samples = 200
[[vary]]
key = "ball.mass_kg"
distribution = "uniform"
low = 1.0
high = 3.0
END
"$tactus" sweep "$work/drop.toml" --output "$work/alone.db" --quiet >"$work/alone"
cd "$work"
TACTUS=$tactus CAMPAIGN=$work/drop.toml OPTIONS=--quiet \
  sbatch --output "$work/%A_%a.log" "$source_dir/examples/campaigns/slurm_array.sbatch" >"$work/id"
job=$(sed 's/.* //' "$work/id")
wait_for "$work/drop-2-of-4.db"
scontrol requeue "${job}_2"
for ((i = 0; i < 240; ++i)); do
  [[ -n $(squeue -h) ]] || break
  sleep 1
done
check 'all tasks have ended' test -z "$(squeue -h)"
cat "$work"/*_*.log
"$tactus" sweep merge "$work"/drop-*-of-4.db --output "$work/merged.db" | tail -n 1 >"$work/merged"
check 'the same answer' diff "$work/alone" "$work/merged"

exit "$((failures > 0))"
