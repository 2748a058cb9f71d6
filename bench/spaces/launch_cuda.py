# Configurations of kernels in CUDA, each launched once through the driver:
#   poundlock record --no-gpu --all --out cuda -- python bench/spaces/launch_cuda.py KERNEL
# KERNEL: transpose, reduce or product. nvcc makes the PTX of bench/spaces/KERNEL.cu.
import ctypes
import itertools
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
WORD = 4
MOST_BLOCKS = 1 << 19


class Driver:
    """What a program needs of the driver."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        context, device = ctypes.c_void_p(), ctypes.c_int()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name}: {code}")

    def memory(self, size):
        at = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))
        return at

    def launch(self, ptx, name, grid, block, arguments):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx))
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        pointers = [ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in arguments]
        parameters = (ctypes.c_void_p * len(pointers))(*pointers)
        self.call("cuLaunchKernel", function, *grid, *block, 0, None, parameters, None)


def ptx_of(kernel, values):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "kernel.ptx")
        defined = [f"-D{name}={value}" for name, value in values.items()]
        command = ["nvcc", "-std=c++17", "-arch=sm_90a", "-ptx", *defined]
        subprocess.run([*command, str(HERE / f"{kernel}.cu"), "-o", str(out)], check=True)
        return out.read_bytes()


def transposes():
    n = 4096
    arguments = [n * n * WORD, n * n * WORD, n]
    for tile, rows, pad in itertools.product((16, 32, 64), (1, 2, 4, 8, 16, 32), (0, 1, 2)):
        if rows <= tile and 64 <= tile * rows <= 1024:
            block = (tile, rows, 1)
            yield {"TILE": tile, "ROWS": rows, "PAD": pad}, (n // tile, n // tile, 1), block, arguments


def reductions():
    words = 1 << 25
    for threads, wide, steps in itertools.product((64, 128, 256, 512), (1, 2, 4), (1, 2, 4, 8)):
        blocks = words // (threads * wide * steps)
        values = {"THREADS": threads, "WIDE": wide, "STEPS": steps}
        yield values, (blocks, 1, 1), (threads, 1, 1), [words * WORD, MOST_BLOCKS * WORD]


def products():
    n = 1024
    arguments = [n * n * WORD, n * n * WORD, n * n * WORD, n]
    sizes = itertools.product((32, 64, 128), (32, 64, 128), (8, 16), (2, 4, 8), (4, 8))
    for bm, bn, bk, tm, tn in sizes:
        threads = bm // tm * (bn // tn)
        if threads in (64, 128, 256) and bm * bk % threads == 0 and bn * bk % threads == 0:
            values = {"BM": bm, "BN": bn, "BK": bk, "TM": tm, "TN": tn}
            yield values, (n // bn, n // bm, 1), (threads, 1, 1), arguments


def main(kernel):
    driver = Driver()
    spaces = {"transpose": transposes, "reduce": reductions, "product": products}
    for values, grid, block, arguments in spaces[kernel]():
        sizes, numbers = arguments, []
        if arguments[-1] < 8192:
            sizes, numbers = arguments[:-1], [ctypes.c_int(arguments[-1])]
        given = [*map(driver.memory, sizes), *numbers]
        driver.launch(ptx_of(kernel, values), kernel, grid, block, given)


main(sys.argv[1])
