# Packs raw recordings into an archive for each group of programs, without images that have no PTX:
# those are listed in dropped.jsonl of the recording. pack.py RAW OUT
import hashlib, json, os, struct, sys, tarfile
from concurrent.futures import ProcessPoolExecutor

raw, out = sys.argv[1:]
FATBIN, PTX = 0xBA55ED50, 1
GROUPS = {
    'cuda': ['ring', 'pipe', 'doors', 'doors-shared', 'overhead'],
    'triton': ['triton', 'triton-hang'],
    'torch': ['torch-eager', 'torch-compile', 'torch-autotune'],
    'other': ['cupy', 'numba', 'jax', 'pallas', 'measured-train'],
}


def entries(fatbin):
    at = struct.unpack_from('<H', fatbin, 6)[0]
    while at + 64 <= len(fatbin):
        kind, = struct.unpack_from('<H', fatbin, at)
        head, = struct.unpack_from('<I', fatbin, at + 4)
        size, = struct.unpack_from('<Q', fatbin, at + 8)
        arch, = struct.unpack_from('<I', fatbin, at + 28)
        yield kind, arch
        if head == 0:
            return
        at += head + size


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def pack(group):
    lines, archive = [], os.path.join(out, f'recordings-{group}.tar.xz')
    with tarfile.open(archive, 'w:xz', preset=4) as tar:
        for name in GROUPS[group]:
            folder = os.path.join(raw, name)
            if not os.path.isdir(folder):
                continue
            files = sorted(os.listdir(folder))
            digest = lambda file: hashlib.sha256(read(os.path.join(folder, file))).hexdigest()
            pairs = {digest(file): file for file in files if file.endswith('.cubin') and not file.startswith('image-')}
            used, dropped, chosen = set(), [], []
            for file in files:
                if not file.startswith('image-'):
                    continue
                data = read(os.path.join(folder, file))
                if file.endswith('.fatbin'):
                    parts = list(entries(data))
                    if any(kind == PTX for kind, _ in parts):
                        chosen.append(file)
                    else:
                        dropped.append({'file': file, 'bytes': len(data), 'entries': parts[:8]})
                elif file.endswith('.ptx') or b'.nv_debug_ptx_txt' in data or digest(file) in pairs:
                    chosen.append(file)
                    used.add(pairs.get(digest(file)))
                else:
                    dropped.append({'file': file, 'bytes': len(data)})
            # nvcc's cubins are inside of fatbins; a compiler that loads what it makes has images.
            isInside = any(file.endswith('.fatbin') for file in chosen)
            for file in files:
                stem = file.rsplit('.', 1)[0]
                if file.startswith('launches-') or ((file.startswith('ptxas-') or file.startswith('compiled-')) and (isInside or f'{stem}.cubin' in used)):
                    chosen.append(file)
            with open(os.path.join(folder, 'dropped.jsonl'), 'w') as listing:
                listing.writelines(json.dumps(each) + '\n' for each in dropped)
            for file in chosen + ['dropped.jsonl']:
                tar.add(os.path.join(folder, file), f'{name}/{file}')
            launches = sum(read(os.path.join(folder, file)).count(b'\n') for file in files if file.startswith('launches-'))
            lines.append(f'{name}: {launches} launches, {len(chosen)} files, {len(dropped)} images without PTX, {sum(each["bytes"] for each in dropped)} bytes')
    lines.append(f'{archive}: {os.path.getsize(archive)} bytes')
    return lines


with ProcessPoolExecutor(4) as pool:
    for lines in pool.map(pack, GROUPS):
        print('\n'.join(lines))
