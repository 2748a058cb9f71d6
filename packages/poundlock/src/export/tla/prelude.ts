// The semantics as TLA+ operators: each maps a state to its successor.
import { MAX_PENDING } from '@poundlock/core/internal/machine';

export const PRELUDE = String.raw`Fail(t, rule) ==
  IF t.error = "none" THEN [t EXCEPT !.error = rule] ELSE t
Require(t, holds, rule) == IF holds THEN t ELSE Fail(t, rule)
At(t, role, place) == [t EXCEPT !.pc[role] = place]

\* M07, M09, M10: what a wait sees of the completed phases, and where parity is ambiguous.
Passes(t, b, phase) ==
  IF b \in Counters THEN t.K[b] > phase ELSE (t.K[b] + phase) % 2 = 1
Misleads(t, b, phase) ==
  \/ t.K[b] < phase /\ Passes(t, b, phase)
  \/ t.K[b] > phase + 1 /\ ~Passes(t, b, phase)

\* M06, M11: a phase ends when no arrival is pending and no byte is missing.
Settle(t, b) ==
  IF t.P[b] = 0 /\ t.T[b] = 0
  THEN Require([t EXCEPT !.P[b] = t.E[b],
                         !.K[b] = IF b \in Phased THEN t.K[b] + 1 ELSE 1 - t.K[b]],
               t.copies[b] = 0, "tx-mismatch")
  ELSE t

\* M03, M12: arrivals, one lane after the other.
Arrive(t, b, n) ==
  IF n > t.P[b] THEN Fail(t, "over-arrival") ELSE Settle([t EXCEPT !.P[b] = @ - n], b)
RECURSIVE Lanes(_, _, _, _)
Lanes(t, b, n, lanes) ==
  IF lanes = 0 THEN t ELSE Lanes(Arrive(t, b, n), b, n, lanes - 1)
\* M04, M14: the transaction count of a phase has a range.
Expect(t, b, bytes) ==
  Require([t EXCEPT !.T[b] = @ + bytes], t.T[b] + bytes \in -${MAX_PENDING}..${MAX_PENDING},
          "count-out-of-range")

\* M01, M02, M05: the life of a barrier.
Initialize(t, b, n) ==
  Require([t EXCEPT !.E[b] = n, !.P[b] = n, !.T[b] = 0, !.K[b] = 0, !.life[b] = "live"],
          t.life[b] # "live" \/ t.E[b] = 0, "uninitialised-barrier")
Invalidate(t, b) == [t EXCEPT !.life[b] = "gone"]
Drop(t, b, n) ==
  IF n > t.P[b] THEN Fail(t, "over-arrival")
  ELSE Settle([t EXCEPT !.E[b] = @ - n, !.P[b] = @ - n], b)

\* L02: what belongs to a CTA is there until the CTA exits, for others until its last role ends.
Alive(t, owner, from) ==
  /\ owner \notin t.exited
  /\ owner = from \/ \E r \in Roles : Cta[r] = owner /\ r \notin t.ended
Reach(t, b, owner, from) ==
  LET there == Require(t, Alive(t, owner, from) /\ t.life[b] # "gone", "missing-drain")
  IN  Require(there, t.life[b] # "unborn", "uninitialised-barrier")
Touch(t, x, owner, from) == Require(t, Alive(t, owner, from), "missing-drain")
TouchPooled(t, x, owner, from) ==
  Require(Touch(t, x, owner, from), t.units[x] > 0, "tmem-use-after-free")

\* S02: two accesses that are both next, at least one of them a write, are a race.
Next_(t, reads, writes) ==
  LET readers == [x \in Buffers |-> t.readers[x] + IF x \in reads THEN 1 ELSE 0]
      writers == [x \in Buffers |-> t.writers[x] + IF x \in writes THEN 1 ELSE 0]
  IN  Require([t EXCEPT !.readers = readers, !.writers = writers],
              /\ \A x \in reads : writers[x] = 0
              /\ \A x \in writes : writers[x] = 1 /\ readers[x] = 0,
              "race")
Done_(t, reads, writes) ==
  [t EXCEPT !.readers = [x \in Buffers |-> t.readers[x] - IF x \in reads THEN 1 ELSE 0],
            !.writers = [x \in Buffers |-> t.writers[x] - IF x \in writes THEN 1 ELSE 0]]

\* U01-U04: flights. A queue begins with work, if it is not empty: marks at its head have passed.
IsWork(f) == Flights[f].kind \in {"copy", "use"}
Copies(t, f, change) ==
  IF Flights[f].kind = "copy" /\ Flights[f].barrier # "none"
  THEN [t EXCEPT !.copies[Flights[f].barrier] = @ + change] ELSE t
Begin(t, f) == Next_(t, Flights[f].reads, Flights[f].writes)
Launch(t, f) ==
  LET q      == Flights[f].queue
      isFree == t.queue[q] = <<>>
      queued == [t EXCEPT !.queue[q] = Append(@, f)]
      opened == [t EXCEPT !.open[f] = @ + 1]
  IN  CASE Flights[f].kind = "signal" -> IF isFree THEN opened ELSE queued
        [] Flights[f].kind = "group"  -> IF isFree THEN t ELSE [queued EXCEPT !.groups[q] = @ + 1]
        [] IsWork(f) /\ Order[q] = "bag"      -> Begin(Copies(opened, f, 1), f)
        [] IsWork(f) /\ Order[q] = "any"      ->
             Begin(Copies([opened EXCEPT !.queue[q] = Append(@, f)], f, 1), f)
        [] IsWork(f) /\ Order[q] = "in-order" ->
             IF isFree THEN Begin(Copies(queued, f, 1), f) ELSE Copies(queued, f, 1)
CanComplete(t, f) ==
  LET q == Flights[f].queue
  IN  IF IsWork(f) /\ Order[q] = "in-order"
      THEN t.queue[q] # <<>> /\ Head(t.queue[q]) = f
      ELSE t.open[f] > 0
RECURSIVE PassMarks(_, _)
PassMarks(t, q) ==
  IF t.queue[q] = <<>> \/ IsWork(Head(t.queue[q])) THEN t
  ELSE LET f    == Head(t.queue[q])
           rest == [t EXCEPT !.queue[q] = Tail(@)]
       IN  PassMarks(IF Flights[f].kind = "signal" THEN [rest EXCEPT !.open[f] = @ + 1]
                     ELSE [rest EXCEPT !.groups[q] = @ - 1], q)
TakeOut(t, f) ==
  LET q    == Flights[f].queue
      all  == t.queue[q]
      at   == CHOOSE i \in 1 .. Len(all) : all[i] = f /\ \A j \in 1 .. (i - 1) : all[j] # f
      rest == SubSeq(all, 1, at - 1) \o SubSeq(all, at + 1, Len(all))
  IN  PassMarks([t EXCEPT !.queue[q] = rest], q)
Complete(t, f) ==
  LET q      == Flights[f].queue
      ended  == Copies(Done_(t, Flights[f].reads, Flights[f].writes), f, -1)
      closed == [ended EXCEPT !.open[f] = @ - 1]
      taken  == TakeOut(ended, f)
  IN  CASE Flights[f].kind = "signal" -> [t EXCEPT !.open[f] = @ - 1]
        [] IsWork(f) /\ Order[q] = "bag" -> closed
        [] IsWork(f) /\ Order[q] = "any" -> TakeOut(closed, f)
        [] IsWork(f) /\ Order[q] = "in-order" ->
             IF taken.queue[q] = <<>> THEN taken ELSE Begin(taken, Head(taken.queue[q]))

\* C01, R03-R06, R09, R10, P05: cells, registers and counts.
Store(t, c, value) == [t EXCEPT !.cell[c] = value]
Step(t, r) == [t EXCEPT !.reg[r] = @ + 1]
MustStand(t, r, stages, stage) == Require(t, t.reg[r] % stages = stage, "release-order")
NotBehind(t, r, copies) ==
  Require(t, \A other \in copies : t.reg[other] <= t.reg[r], "forked-pipeline")
Count(t, n) == [t EXCEPT !.count[n] = @ + 1]
Shift(t, regs, barriers, period) ==
  IF \A r \in regs : t.reg[r] >= period
  THEN [t EXCEPT !.reg = [r \in DOMAIN t.reg |->
                            IF r \in regs THEN t.reg[r] - period ELSE t.reg[r]],
                 !.K = [b \in DOMAIN t.K |-> IF b \in barriers THEN t.K[b] - 2 ELSE t.K[b]]]
  ELSE t

\* A01-A03: pools.
Take(t, x, units) == [t EXCEPT !.units[x] = units]
Free(t, x) == Require([t EXCEPT !.units[x] = 0], t.units[x] > 0, "tmem-double-free")
GiveUp(t, pool) == [t EXCEPT !.givenUp = @ \cup {pool}]
FirstFree(t, pool, x, units) ==
  LET all  == Pools[pool].buffers
      at   == CHOOSE i \in 1 .. Len(all) : all[i] = x
      used == [i \in 1 .. Len(all) |-> t.units[all[i]]]
  IN  /\ pool \notin t.givenUp
      /\ \A i \in 1 .. (at - 1) : used[i] > 0
      /\ used[at] = 0
      /\ Sum(used) + units <= Pools[pool].capacity

\* N01, N02: named and cluster barriers.
Mismatch(t, g, threads, count) ==
  \/ t.here[g] # 0 /\ t.counts[g] # count
  \/ t.here[g] + threads > count
IsFull(t, g, threads, count) ==
  ~Mismatch(t, g, threads, count) /\ t.here[g] + threads = count
IsPart(t, g, threads, count) ==
  ~Mismatch(t, g, threads, count) /\ t.here[g] + threads < count
Gather(t, g, threads, count) == [t EXCEPT !.here[g] = @ + threads, !.counts[g] = count]
WaitAt(t, role, g) == [t EXCEPT !.waits[role] = g]
ReleaseWaits(t, g) ==
  [t EXCEPT !.waits = [r \in Roles |-> IF t.waits[r] = g THEN "nothing" ELSE t.waits[r]]]
ReleaseNamed(t, g) == ReleaseWaits([t EXCEPT !.here[g] = 0, !.counts[g] = 0], g)
AtCluster(t) == {r \in Roles : t.waits[r] = "cluster"}

\* L01, L02: the life of roles and CTAs.
End(t, role) ==
  Require([t EXCEPT !.ended = @ \cup {role}], AtCluster(t) = {}, "divergent-exit")
Exit(t, cta) == [t EXCEPT !.exited = @ \cup {cta}]
`;
