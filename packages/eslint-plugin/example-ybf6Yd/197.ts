import { kernel as $kernel } from 'poundlock';
import { postWait } from '@poundlock/core/dialect';
import { barrier, buffer, arrive, read, role } from 'poundlock';
export default $kernel('example', {}, () => {
const bar = barrier('bar');
const tile = buffer('tile');
return [role('example', function* () {
arrive(bar);
{
  using _scope = { [Symbol.dispose]: () => postWait(bar, 0) };
}
read(tile);
})];
});