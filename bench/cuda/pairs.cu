// Kernels that are wrong, each beside the same kernel right, for tools that look for such mistakes:
//   pairs list                             a line for each: name, blocks, threads, bytes of dynamic shared memory
//   pairs KERNEL wrong|right CYCLES COUNT  how many of so many launches with a delay have a wrong result
// With a count of 0 it launches that kernel alone, once. A launch that hangs is ended from outside:
// bench/cuda/pairs.sh does so and prints a table.
#include "pairs-cluster.cuh"
#include "pairs-copies.cuh"
#include "pairs-shared.cuh"
#include "suspects.cuh"

const Pair PAIRS[] = {
    {BOTH(based), 1, 128, 0},
    {BOTH(linear_attention), 1, 128, 0},
    {BOTH(hedgehog), 1, 256, 32768},
    {BOTH(backward), 1, 256, 0},
    {BOTH(pipeline), 1, 160, 0},
    {BOTH(epilogue), 1, 128, 0},
    {BOTH(phase_word), 1, 128, 0},
    {BOTH(before_peer), 2, 64, 0},
    {BOTH(stored_twice), 2, 128, 0},
    {BOTH(groupnorm), 1, 256, 0},
    {BOTH(stencil), 1, 128, 0},
    {BOTH(lanes_apart), 1, 32, 0},
    {BOTH(broadcast), 1, 128, 0},
    {BOTH(counter), 1, 128, 0},
    {BOTH(histogram), 1, 128, 0},
    {BOTH(transpose), 1, 256, 0},
    {BOTH(scan), 1, 128, 0},
    {BOTH(staged), 1, 128, 0},
    {BOTH(arrive_laps), 1, 128, 0},
    {BOTH(count_too_small), 1, 128, 0},
    {BOTH(count_too_large), 1, 128, 0},
    {BOTH(mailbox), 1, 64, 0},
    {BOTH(global_counter), 4, 32, 0},
    {BOTH(flag_of_block), 2, 128, 0},
    {BOTH(last_block), 4, 128, 0},
    {BOTH(early_release), 1, 64, 0},
    {BOTH(empty_unwaited), 1, 64, 0},
    {BOTH(constant_parity), 1, 64, 0},
    {BOTH(every_lane_arrives), 1, 64, 0},
    {BOTH(count_of_two_warps), 1, 64, 0},
    {BOTH(expect_too_small), 1, 64, 0},
    {BOTH(phase_restarts), 1, 64, 0},
    {BOTH(wait_missing), 1, 128, 0},
    {BOTH(expect_left_out), 1, 128, 0},
    {BOTH(one_warp_waits), 1, 128, 0},
    {BOTH(tested_once), 1, 128, 0},
    {BOTH(init_unsynced), 1, 64, 0},
    {BOTH(made_again), 1, 64, 0},
    {BOTH(store_source), 1, 256, 32768},
    {BOTH(staged_in_operand), 1, 128, 0},
    {BOTH(async_unwaited), 1, 64, 0},
    {BOTH(others_unwaited), 1, 64, 0},
    {BOTH(arrivals_of_one_warp), 1, 64, 0},
    {BOTH(last_group_open), 1, 64, 32768},
    {BOTH(refill_first), 1, 64, 32768},
    {BOTH(peer_ended), 2, 64, 0},
    {BOTH(peer_unsynced), 2, 64, 0},
    {BOTH(own_barrier), 2, 64, 0},
    {BOTH(peer_not_released), 2, 64, 0},
    {BOTH(products_open), 1, 160, 0},
    {BOTH(registers_kept), 1, 384, 0},
};

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "list") == 0) {
    for (const Pair &each : PAIRS) printf("%s %d %d %d\n", each.name, each.blocks, each.threads, each.shared);
    return 0;
  }
  if (count == 5)
    for (const Pair &each : PAIRS)
      if (strcmp(each.name, words[1]) == 0)
        return launches_of(each, strcmp(words[2], "right") == 0, atoi(words[3]), atoi(words[4]));
  fprintf(stderr, "usage: pairs list, or pairs KERNEL wrong|right CYCLES COUNT with a name of that list\n");
  return 2;
}
