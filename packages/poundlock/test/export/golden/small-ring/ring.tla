------------------------------ MODULE small_ring ------------------------------
(* Kernel small-ring, stages=1 tiles=2: exported by poundlock.
   For TLC, this is small_ring.tla, and small_ring.cfg has two lines:

     SPECIFICATION Spec
     INVARIANT NoFinding

   Where NoFinding fails, s.error is the rule of the finding; TLC reports a deadlock. The
   error "bound" is no finding: a cell has a value beyond max-answers of the export.
   Warnings are left out. A try that fails and changes nothing is left out, too; polling in
   turns, forever, is a livelock, which NoFinding does not exclude.
   Rules (M06, S02, ...) are explained by: poundlock explain M06. *)
EXTENDS Integers, Sequences, FiniteSets, TLC

VARIABLE s

Roles == {"load", "mma"}
Cta == "load" :> 0 @@ "mma" :> 0
Counters == {}
Barriers == {"ab.full[0]", "ab.empty[0]"}
\* Barriers whose true phase is tracked; of the others only the parity matters.
Phased == {"ab.full[0]", "ab.empty[0]"}
Buffers == {"ab[0]"}
Pools == <<>>
Order == "q_load_tma" :> "bag" @@ "q_mma_mma" :> "in-order"
Flights ==
     "f_load_tma_1" :> [kind |-> "copy", queue |-> "q_load_tma", barrier |-> "ab.full[0]", reads |-> {}, writes |-> {"ab[0]"}]
  @@ "f_mma_mma_1" :> [kind |-> "use", queue |-> "q_mma_mma", barrier |-> "none", reads |-> {"ab[0]"}, writes |-> {}]
  @@ "f_mma_mma_2" :> [kind |-> "group", queue |-> "q_mma_mma", barrier |-> "none", reads |-> {}, writes |-> {}]
RECURSIVE Sum(_)
Sum(list) == IF list = <<>> THEN 0 ELSE Head(list) + Sum(Tail(list))

Fail(t, rule) ==
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
  Require([t EXCEPT !.T[b] = @ + bytes], t.T[b] + bytes \in -1048575..1048575,
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

\* R06: states are the same up to double laps.
shift_ab(t) ==
  Shift(t, {"ab produced by load", "ab consumed by mma"},
        {"ab.full[0]", "ab.empty[0]"}, 2)

Start ==
  [ pc |-> "load" :> 0 @@ "mma" :> 0,
    P |-> [b \in Barriers |-> 1],
    E |-> [b \in Barriers |-> 1],
    T |-> [b \in Barriers |-> 0],
    K |-> [b \in Barriers |-> 0],
    life |-> [b \in Barriers |-> "live"],
    copies |-> [b \in Barriers |-> 0],
    readers |-> [x \in Buffers |-> 0],
    writers |-> [x \in Buffers |-> 0],
    units |-> [x \in Buffers |-> 0],
    reg |-> "ab produced by load" :> 0 @@ "ab consumed by mma" :> 0,
    count |-> "count0 of load" :> 0 @@ "count0 of mma" :> 0,
    cell |-> <<>>,
    open |-> [f \in DOMAIN Flights |-> 0],
    queue |-> [q \in DOMAIN Order |-> <<>>],
    groups |-> [q \in DOMAIN Order |-> 0],
    here |-> <<>>,
    counts |-> <<>>,
    waits |-> [r \in Roles |-> "nothing"],
    givenUp |-> {},
    ended |-> {},
    exited |-> {},
    error |-> "none" ]

\* Every role reaches its first operation.
Init ==
  LET t1 == Count(Start, "count0 of load")
      t2 == Count(t1, "count0 of mma")
  IN  s = t2

\* wait for the next stage of ab to be empty
role_load_0 ==
  /\ s.pc["load"] = 0
  /\ \/ /\ Misleads(s, "ab.empty[0]", (s.reg["ab produced by load"] \div 1) - 1)
        /\ LET t1 == Fail(s, IF s.K["ab.empty[0]"] < (s.reg["ab produced by load"] \div 1) - 1 THEN "false-pass" ELSE "false-block")
           IN  s' = At(t1, "load", 0)
     \/ /\ Passes(s, "ab.empty[0]", (s.reg["ab produced by load"] \div 1) - 1)
        /\ s' = At(s, "load", 1)

\* arrive on ab.full[0], expecting 64 B
role_load_1 ==
  /\ s.pc["load"] = 1
  /\ LET t1 == Expect(s, "ab.full[0]", 64)
         t2 == Arrive(t1, "ab.full[0]", 1)
     IN  s' = At(t2, "load", 2)

\* start a copy of 64 B into ab[0]
role_load_2 ==
  /\ s.pc["load"] = 2
  /\ \/ /\ s.count["count0 of load"] < 2
        /\ LET t1 == Launch(s, "f_load_tma_1")
               t2 == MustStand(t1, "ab produced by load", 1, 0)
               t3 == Step(t2, "ab produced by load")
               t4 == Count(t3, "count0 of load")
               t5 == shift_ab(t4)
           IN  s' = At(t5, "load", 0)
     \/ /\ s.count["count0 of load"] >= 2
        /\ LET t1 == Launch(s, "f_load_tma_1")
               t2 == MustStand(t1, "ab produced by load", 1, 0)
               t3 == Step(t2, "ab produced by load")
               t4 == shift_ab(t3)
           IN  s' = At(t4, "load", 3)

\* wait for the next stage of ab to be empty
role_load_3 ==
  /\ s.pc["load"] = 3
  /\ \/ /\ Misleads(s, "ab.empty[0]", (s.reg["ab produced by load"] \div 1) - 1)
        /\ LET t1 == Fail(s, IF s.K["ab.empty[0]"] < (s.reg["ab produced by load"] \div 1) - 1 THEN "false-pass" ELSE "false-block")
           IN  s' = At(t1, "load", 3)
     \/ /\ Passes(s, "ab.empty[0]", (s.reg["ab produced by load"] \div 1) - 1)
        /\ LET t1 == Step(s, "ab produced by load")
               t2 == shift_ab(t1)
               t3 == End(t2, "load")
           IN  s' = At(t3, "load", 4)

\* wait for the next stage of ab to be full
role_mma_0 ==
  /\ s.pc["mma"] = 0
  /\ \/ /\ Misleads(s, "ab.full[0]", s.reg["ab consumed by mma"] \div 1)
        /\ LET t1 == Fail(s, IF s.K["ab.full[0]"] < s.reg["ab consumed by mma"] \div 1 THEN "false-pass" ELSE "false-block")
           IN  s' = At(t1, "mma", 0)
     \/ /\ Passes(s, "ab.full[0]", s.reg["ab consumed by mma"] \div 1)
        /\ s' = At(s, "mma", 1)

\* start asynchronous work that reads ab[0]
role_mma_1 ==
  /\ s.pc["mma"] = 1
  /\ LET t1 == Launch(s, "f_mma_mma_1")
         t2 == Launch(t1, "f_mma_mma_2")
     IN  s' = At(t2, "mma", 2)

\* wait until no group is pending
role_mma_2 ==
  /\ s.pc["mma"] = 2
  /\ s.groups["q_mma_mma"] <= 0
  /\ s' = At(s, "mma", 3)

\* arrive on ab.empty[0]
role_mma_3 ==
  /\ s.pc["mma"] = 3
  /\ \/ /\ s.count["count0 of mma"] < 2
        /\ LET t1 == Arrive(s, "ab.empty[0]", 1)
               t2 == MustStand(t1, "ab consumed by mma", 1, 0)
               t3 == Step(t2, "ab consumed by mma")
               t4 == Count(t3, "count0 of mma")
               t5 == shift_ab(t4)
           IN  s' = At(t5, "mma", 0)
     \/ /\ s.count["count0 of mma"] >= 2
        /\ LET t1 == Arrive(s, "ab.empty[0]", 1)
               t2 == MustStand(t1, "ab consumed by mma", 1, 0)
               t3 == Step(t2, "ab consumed by mma")
               t4 == shift_ab(t3)
               t5 == End(t4, "mma")
           IN  s' = At(t5, "mma", 4)

\* Work of the unit tma completes.
unit_tma ==
  /\ CanComplete(s, "f_load_tma_1") \* complete the copy into ab[0] and 64 B on ab.full[0]
  /\ LET t1 == Complete(s, "f_load_tma_1")
         t2 == Expect(t1, "ab.full[0]", -64)
         t3 == Settle(t2, "ab.full[0]")
     IN  s' = t3

\* Work of the unit mma completes.
unit_mma ==
  /\ CanComplete(s, "f_mma_mma_1") \* complete the asynchronous work that reads ab[0]
  /\ LET t1 == Complete(s, "f_mma_mma_1")
     IN  s' = t1

\* Every role has ended, and nothing is in flight.
Ended ==
  /\ s.ended = Roles
  /\ \A f \in DOMAIN Flights : ~CanComplete(s, f)
  /\ UNCHANGED s

Next ==
  /\ s.error = "none"
  /\ \/ role_load_0
     \/ role_load_1
     \/ role_load_2
     \/ role_load_3
     \/ role_mma_0
     \/ role_mma_1
     \/ role_mma_2
     \/ role_mma_3
     \/ unit_tma
     \/ unit_mma
     \/ Ended

Spec == Init /\ [][Next]_s
NoFinding == s.error = "none"
===============================================================================
