export async function measureKernels() {
  return '';
}
