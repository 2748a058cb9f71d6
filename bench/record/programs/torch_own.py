# What PyTorch launches: libraries, its own kernels, a graph, inductor, flex attention, a training step.
import sys
import torch, torch.nn as nn, torch.nn.functional as F
from attempt import attempt

torch.manual_seed(0)
x = torch.randn(2048, 2048, device='cuda', dtype=torch.float16)
q = torch.randn(1, 8, 1024, 64, device='cuda', dtype=torch.float16)
mean = lambda tensor: f'{tensor.float().mean().item():.6f}'


def graph():
    y, stream, replay = torch.ones(4096, device='cuda'), torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        y.mul_(1)
    torch.cuda.synchronize()
    with torch.cuda.graph(replay):
        z = (y * 2).sin()
    replay.replay()
    return mean(z)


def train():
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, 512, dropout=0, batch_first=True), 2).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    data = torch.randn(8, 128, 256, device='cuda')
    for _ in range(20):
        optimizer.zero_grad()
        loss = net(data).square().mean()
        loss.backward()
        optimizer.step()
    return mean(loss)


def compiled():
    return mean(torch.compile(lambda a: F.softmax(a * 2 + 1, -1).sum(0))(x))


def compiled_layers():
    net = torch.compile(nn.Sequential(nn.LayerNorm(2048), nn.GELU()).cuda().half())
    return mean(net(x))


def flex(causal):
    from torch.nn.attention.flex_attention import flex_attention
    score = (lambda s, b, h, i, j: torch.where(i >= j, s, -float('inf'))) if causal else None
    qs = [q.clone().requires_grad_() for _ in range(3)]
    out = torch.compile(flex_attention)(*qs, score_mod=score)
    out.float().sum().backward()
    return mean(out)


def autotuned():
    import torch._inductor.config as config
    config.max_autotune_gemm_backends = 'TRITON'
    a, b = (torch.randn(1024, 1024, device='cuda', dtype=torch.bfloat16) for _ in range(2))
    return mean(torch.compile(lambda a, b: F.relu(a @ b), mode='max-autotune-no-cudagraphs')(a, b))


def autotuned_persistent():
    import torch._inductor.config as config
    config.max_autotune_gemm_backends = 'TRITON'
    config.triton.enable_persistent_tma_matmul = True
    a, b = (torch.randn(2048, 1024, device='cuda', dtype=torch.bfloat16) for _ in range(2))
    return mean(torch.compile(lambda a, b: a @ b.T, mode='max-autotune-no-cudagraphs')(a, b))


print(torch.__version__)
if sys.argv[1] == 'eager':
    attempt('matmul', lambda: mean(x @ x))
    attempt('attention', lambda: mean(F.scaled_dot_product_attention(q, q, q)))
    attempt('graph', graph)
    attempt('train', train)
elif sys.argv[1] == 'compile':
    attempt('softmax', compiled)
    attempt('layers', compiled_layers)
    attempt('flex', flex, False)
    attempt('flex, causal', flex, True)
else:
    attempt('autotuned', autotuned)
    attempt('autotuned, persistent', autotuned_persistent)
