export async function measureNative() {
  return '';
}
