// Bug: only the lanes with a row to store come to bar.sync, which is inside of their branch.
// On hardware: bar.sync is aligned: all lanes of a warp have to execute it together. In a branch
// that not all of them take, its behavior is undefined, and mostly a hang.
// Fix: move the barrier out of the branch.
import { buffer, kernel, read, role, syncNamed, write } from 'poundlock';

const WITH_ROW = { lanes: Array.from({ length: 16 }, (_, lane) => lane) };

export default kernel('barrier-in-branch', { inBranch: true }, ({ inBranch }) => {
  const rows = buffer('rows');

  const epilogue = role('epilogue', { strands: 'lanes' }, function* () {
    write(rows);
    yield* syncNamed(1, 64, { by: inBranch ? WITH_ROW : 'all', aligned: true });
  });

  const store = role('store', { warps: 1 }, function* () {
    yield* syncNamed(1, 64, { aligned: true });
    read(rows);
  });

  return [epilogue, store];
});
