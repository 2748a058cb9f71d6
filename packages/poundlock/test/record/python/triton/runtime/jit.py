import inspect
import re
from types import SimpleNamespace

from . import driver


class JITFunction:
    def __init__(self, function, ptx, signature=None, tensordesc_meta=None):
        self.fn = function
        self._ptx = ptx
        self._meta = tensordesc_meta
        self.arg_names = list(inspect.signature(function).parameters)
        self.params = [SimpleNamespace(name=each, is_constexpr=each.isupper()) for each in self.arg_names]
        kinds = {each: "constexpr" if each.isupper() else "i32" for each in self.arg_names}
        self._signature = {**kinds, **(signature or {})}
        self.pre_run_hooks = []

    def __getitem__(self, grid):
        return lambda *args, **options: self.run(*args, grid=grid, warmup=False, **options)

    def warmup(self, *args, grid, **options):
        return self.run(*args, grid=grid, warmup=True, **options)

    def run(self, *args, grid, warmup, num_warps=2, shared=0, num_ctas=1, PTX=None, **options):
        for hook in self.pre_run_hooks:
            hook(*args, **options)
        if driver.active is None:
            raise RuntimeError("0 active drivers")
        with open(PTX or self._ptx) as file:
            ptx = file.read()
        name = re.search(r"\.entry (\w+)", ptx).group(1)
        target = driver.active.get_current_target()
        about = SimpleNamespace(
            name=name, shared=shared, num_warps=num_warps, num_ctas=num_ctas, target=target, tensordesc_meta=self._meta
        )
        if not warmup:
            driver.active.launch(name)
        return SimpleNamespace(asm={"ptx": ptx}, metadata=about, src=SimpleNamespace(signature=self._signature))
