/* Kernel small-ring, stages=1 tiles=2: exported by poundlock.
 *
 *   spin -a FILE && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
 *
 * "assertion violated race || ..." is the finding race, "invalid end state" a deadlock; an
 * export_bound is no finding, but a bound of this file. Warnings are left out. A try that
 * fails and changes nothing is left out, too, so roles that only poll are in an invalid end
 * state; polling in turns, forever, is a livelock, which neither of the two shows.
 * Rules (M06, S02, ...) are explained by: poundlock explain M06. */
#ifndef MAX_OPEN
#define MAX_OPEN 32
#endif
/* M07, M10: what the parity shows of k completed phases, and where it is ambiguous. */
#define PASSES(k, phase) ((((k) + (phase)) & 1) != 0)
#define ALIAS(k, phase) (((k) < (phase) && PASSES(k, phase)) || \
                         ((k) > (phase) + 1 && !PASSES(k, phase)))
hidden byte count_out_of_range, export_bound, false_block, false_pass, over_arrival, race, release_order, tx_mismatch;

/* Barriers: pending arrivals P, missing bytes T where there are any, completed phases K
 * (only their parity, where no operation waits for a phase by number). */
#define b_ab_full_0 0 /* ab.full[0] */
#define b_ab_empty_0 1 /* ab.empty[0] */
byte P[2];
short K[2];
int T[2];
byte Copies[2]; /* copies in flight that complete bytes here */

/* Buffers: how many agents access one next, reading or writing. */
#define s_ab_0 0 /* ab[0] */
byte Readers[1];
byte Writers[1];

short r_load_ab_produced; /* stages of ab produced by load */
short r_mma_ab_consumed; /* stages of ab consumed by mma */
int n_load_count0; /* rounds of count0 of load */
int n_mma_count0; /* rounds of count0 of mma */
byte f_load_tma_1; /* complete the copy into ab[0] and 64 B on ab.full[0] */
/* q_mma_mma 1: complete the asynchronous work that reads ab[0] */
/* q_mma_mma 2: a group ends */
byte q_mma_mma[MAX_OPEN]; byte q_mma_mma_n; byte q_mma_mma_groups;

/* M06: a phase ends when no arrival is pending and no byte is missing. */
inline settle(b, e) {
  if :: P[b] == 0 && T[b] == 0 -> P[b] = e; K[b] = K[b] + 1; assert(tx_mismatch || Copies[b] == 0)
     :: else
  fi
}
/* M04, M14: n more bytes are missing; their number has a range. */
#define MAX_BYTES 1048575
inline expect(b, n) {
  T[b] = T[b] + n; assert(count_out_of_range || (T[b] >= -MAX_BYTES && T[b] <= MAX_BYTES))
}
/* M03, M12: n arrivals, of which each phase takes as many as it expects. */
inline arrive(b, e, n) {
  assert(over_arrival || n <= P[b]); P[b] = P[b] - n; settle(b, e)
}
hidden int lanes_left;
inline lanes(b, e, n, times) {
  lanes_left = times;
  do :: lanes_left > 0 -> arrive(b, e, n); lanes_left-- :: else -> break od;
  lanes_left = 0
}

/* S02: two accesses that are both next, at least one of them a write, are a race. */
inline next_read(s) { Readers[s]++; assert(race || Writers[s] == 0) }
inline next_write(s) {
  Writers[s]++; assert(race || (Writers[s] == 1 && Readers[s] == 0))
}
/* The bound on operations in flight: raise MAX_OPEN if it fails. */
inline open(f) { assert(export_bound || f < MAX_OPEN); f++ }

/* R06: states are the same up to double laps. */
inline shift_ab() {
  if :: r_load_ab_produced >= 2 && r_mma_ab_consumed >= 2 ->
        r_load_ab_produced = r_load_ab_produced - 2;
        r_mma_ab_consumed = r_mma_ab_consumed - 2;
        K[b_ab_full_0] = K[b_ab_full_0] - 2;
        K[b_ab_empty_0] = K[b_ab_empty_0] - 2
     :: else
  fi
}
hidden int q_at;
inline push_q_mma_mma(f) {
  assert(export_bound || q_mma_mma_n < MAX_OPEN); q_mma_mma[q_mma_mma_n] = f; q_mma_mma_n++
}
inline remove_q_mma_mma() {
  q_mma_mma_n--;
  do :: q_at < q_mma_mma_n -> q_mma_mma[q_at] = q_mma_mma[q_at + 1]; q_at++
     :: else -> break
  od;
  q_mma_mma[q_mma_mma_n] = 0
}
inline take_q_mma_mma(f) {
  q_at = 0;
  do :: q_mma_mma[q_at] != f -> q_at++ :: else -> break od;
  remove_q_mma_mma();
  do
     :: q_mma_mma_n > 0 && q_mma_mma[0] == 2 -> q_mma_mma_groups--; q_at = 0; remove_q_mma_mma()
     :: else -> break
  od;
  q_at = 0
}
inline next_of_q_mma_mma() {
  if
  :: q_mma_mma_n > 0 && q_mma_mma[0] == 1 -> next_read(s_ab_0)
  :: else
  fi
}
proctype unit_tma() {
end_unit_tma:
  do
  /* work of load: complete the copy into ab[0] and 64 B on ab.full[0] */
  :: d_step {
       f_load_tma_1 > 0 ->
       f_load_tma_1--;
       Writers[s_ab_0]--;
       Copies[b_ab_full_0]--;
       expect(b_ab_full_0, -64);
       settle(b_ab_full_0, 1);
     };
  od
}

proctype unit_mma() {
end_unit_mma:
  do
  /* work of mma: complete the asynchronous work that reads ab[0] */
  :: d_step {
       q_mma_mma_n > 0 && q_mma_mma[0] == 1 ->
       take_q_mma_mma(1);
       Readers[s_ab_0]--;
       next_of_q_mma_mma();
     };
  od
}

proctype role_load() {
L0: /* wait for the next stage of ab to be empty */
  if
  :: d_step {
       ALIAS(K[b_ab_empty_0], r_load_ab_produced / 1 - 1) ->
       /* M10: the parity shows another phase than the one waited for */
       assert(false_pass || K[b_ab_empty_0] > r_load_ab_produced / 1 - 1);
       assert(false_block);
     };
     goto L0
  :: PASSES(K[b_ab_empty_0], r_load_ab_produced / 1 - 1);
  fi;
L1: /* arrive on ab.full[0], expecting 64 B */
  if
  :: d_step {
       expect(b_ab_full_0, 64);
       arrive(b_ab_full_0, 1, 1);
     };
  fi;
L2: /* start a copy of 64 B into ab[0] */
  if
  :: d_step {
       n_load_count0 < 2 ->
       open(f_load_tma_1);
       Copies[b_ab_full_0]++;
       next_write(s_ab_0);
       assert(release_order || r_load_ab_produced % 1 == 0);
       r_load_ab_produced++;
       n_load_count0++;
       shift_ab();
     };
     goto L0
  :: d_step {
       n_load_count0 >= 2 ->
       open(f_load_tma_1);
       Copies[b_ab_full_0]++;
       next_write(s_ab_0);
       assert(release_order || r_load_ab_produced % 1 == 0);
       r_load_ab_produced++;
       shift_ab();
     };
  fi;
L3: /* wait for the next stage of ab to be empty */
  if
  :: d_step {
       ALIAS(K[b_ab_empty_0], r_load_ab_produced / 1 - 1) ->
       /* M10: the parity shows another phase than the one waited for */
       assert(false_pass || K[b_ab_empty_0] > r_load_ab_produced / 1 - 1);
       assert(false_block);
     };
     goto L3
  :: d_step {
       PASSES(K[b_ab_empty_0], r_load_ab_produced / 1 - 1) ->
       r_load_ab_produced++;
       shift_ab();
     };
  fi;
L4: /* the end */
  skip
}

proctype role_mma() {
L0: /* wait for the next stage of ab to be full */
  if
  :: d_step {
       ALIAS(K[b_ab_full_0], r_mma_ab_consumed / 1) ->
       /* M10: the parity shows another phase than the one waited for */
       assert(false_pass || K[b_ab_full_0] > r_mma_ab_consumed / 1);
       assert(false_block);
     };
     goto L0
  :: PASSES(K[b_ab_full_0], r_mma_ab_consumed / 1);
  fi;
L1: /* start asynchronous work that reads ab[0] */
  if
  :: d_step {
       if :: q_mma_mma_n == 0 -> next_read(s_ab_0) :: else fi;
       push_q_mma_mma(1);
       if :: q_mma_mma_n > 0 -> push_q_mma_mma(2); q_mma_mma_groups++ :: else fi;
     };
  fi;
L2: /* wait until no group is pending */
  if
  :: q_mma_mma_groups <= 0;
  fi;
L3: /* arrive on ab.empty[0] */
  if
  :: d_step {
       n_mma_count0 < 2 ->
       arrive(b_ab_empty_0, 1, 1);
       assert(release_order || r_mma_ab_consumed % 1 == 0);
       r_mma_ab_consumed++;
       n_mma_count0++;
       shift_ab();
     };
     goto L0
  :: d_step {
       n_mma_count0 >= 2 ->
       arrive(b_ab_empty_0, 1, 1);
       assert(release_order || r_mma_ab_consumed % 1 == 0);
       r_mma_ab_consumed++;
       shift_ab();
     };
  fi;
L4: /* the end */
  skip
}

init {
  atomic {
    d_step {
      P[b_ab_full_0] = 1;
      P[b_ab_empty_0] = 1;
      n_load_count0++;
      n_mma_count0++;
    };
    run unit_tma();
    run unit_mma();
    run role_load();
    run role_mma();
  }
}
