# Writes the rows to measure: every configuration of the measured grids, and some beside them.
#
#   python3 rows.py grid DIR       the grids of bench/h200, the given rows among them
#   python3 rows.py beside DIR     other sizes, stages and times, drawn from a seed
import itertools
import random
import sys

SMEM = 227 * 1024
rng = random.Random(20261120)


def product(**axes):
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values))


def two_role(beside):
    fixed = dict(consumers=1, producer_cycles=0)
    if beside:
        for _ in range(160):
            ctas = rng.choice([1, 1, 132])
            yield dict(source=rng.choice(['l2', 'hbm']), ctas=ctas, consumers=1,
                       stages=rng.choice([1, 2, 3, 4, 5, 7, 10]),
                       tile_bytes=rng.choice([2048, 6144, 12288, 20480]),
                       tiles=128 if ctas > 1 else 256, producer_cycles=0,
                       consumer_cycles=rng.choice([0, 150, 300, 450, 600, 850, 1250, 2000, 3000]))
        return
    for source in ['l2', 'hbm']:
        for p in product(stages=[1, 2, 3, 4, 6, 8], tile_bytes=[1024, 4096, 8192, 16384, 24576, 32768],
                         consumer_cycles=[0, 100, 200, 350, 500, 700, 1000, 1500, 2500, 4000]):
            yield dict(source=source, ctas=1, tiles=256, **fixed, **p)
        for p in product(stages=[1, 2, 3, 4, 6, 8], tile_bytes=[1024, 4096, 8192, 16384, 32768],
                         consumer_cycles=[0, 200, 500, 1000, 1500, 2500, 4000]):
            yield dict(source=source, ctas=132, tiles=128, **fixed, **p)
    for p in product(consumers=[1, 2, 4], stages=[2, 4], producer_cycles=[100, 300, 800],
                     consumer_cycles=[0, 200, 500, 1000, 2500]):
        yield dict(source='l2', ctas=1, tile_bytes=8192, tiles=256, **p)


def three_role(beside):
    axes = dict(source=['l2', 'hbm'], stages=[1, 2, 4, 6], tile_bytes=[8192, 32768], k_steps=[4, 16],
                output_tiles=[24], accum_stages=[1, 2], mma_cycles=[150, 400, 900],
                epilogue_cycles=[500, 2000, 6000])
    if beside:
        axes |= dict(stages=[2, 3, 5], tile_bytes=[4096, 16384], k_steps=[2, 8], accum_stages=[1, 2, 3],
                     mma_cycles=[0, 250, 600], epilogue_cycles=[0, 1000, 3500])
    yield from axes_or_some(axes, beside)


def release_order(beside):
    axes = dict(source=['l2', 'hbm'], a_stages=[1, 2, 3], a_bytes=[4096, 32768], b_stages=[1, 2, 4],
                b_bytes=[8192], tiles=[256], use_a_cycles=[50, 200, 800], use_b_cycles=[50, 400, 1600],
                order=['scoped', 'linear'])
    if beside:
        axes |= dict(a_stages=[1, 2, 4], a_bytes=[8192, 16384], b_stages=[1, 2, 3], b_bytes=[4096, 16384],
                     use_a_cycles=[0, 100, 450], use_b_cycles=[0, 150, 900])
    yield from axes_or_some(axes, beside)


def tensor_core(beside):
    axes = dict(source=['l2', 'hbm'], ctas=[1, 132], warpgroups=[1, 2], mma_n=[64, 128, 256],
                stages=[1, 2, 3, 4, 5], stage_bytes=[0], k_blocks=[256], order=['scoped', 'linear'])
    if beside:
        axes |= dict(ctas=[8, 66], stages=[2, 3, 6, 8], k_blocks=[128])
    for p in axes_or_some(axes, beside):
        p['stage_bytes'] = p['warpgroups'] * 8192 + p['mma_n'] * 128
        if p['stages'] > 1 or p['order'] == 'scoped':
            yield p


def axes_or_some(axes, some):
    every = list(product(**axes))
    return rng.sample(every, 160) if some else every


def shared_bytes(p):
    if 'a_stages' in p:
        return p['a_stages'] * p['a_bytes'] + p['b_stages'] * p['b_bytes']
    return p['stages'] * p.get('tile_bytes', p.get('stage_bytes', 0))


ORDERS = {
    'two_role': 'source ctas consumers stages tile_bytes tiles producer_cycles consumer_cycles',
    'three_role': 'source stages tile_bytes k_steps output_tiles accum_stages mma_cycles epilogue_cycles',
    'release_order': 'source a_stages a_bytes b_stages b_bytes tiles use_a_cycles use_b_cycles order',
    'tensor_core': 'source ctas warpgroups mma_n stages stage_bytes k_blocks order',
}

what, folder = sys.argv[1:]
for make in [two_role, three_role, release_order, tensor_core]:
    names = ORDERS[make.__name__].split()
    with open(f'{folder}/{make.__name__}.csv', 'w') as file:
        print(','.join(names), file=file)
        seen = set()
        for p in make(what == 'beside'):
            line = ','.join(str(p[name]) for name in names)
            if line not in seen and shared_bytes(p) + 2048 <= SMEM:
                seen.add(line)
                print(line, file=file)
