# Time of a short operation and of a small training step, eager: many short launches. Prints also the
# loss, which the recorder must not change.
import time
import torch, torch.nn as nn

torch.manual_seed(0)
torch.use_deterministic_algorithms(False)
net = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, 512, dropout=0, batch_first=True), 6).cuda().half()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
data = torch.randn(8, 128, 256, device='cuda', dtype=torch.float16)


def step():
    optimizer.zero_grad()
    loss = net(data).float().square().mean()
    loss.backward()
    optimizer.step()
    return loss


def median_time(rounds, repetitions, work):
    times = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(repetitions):
            work()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / repetitions)
    return sorted(times)[rounds // 2]


start = time.perf_counter()
for _ in range(40):
    loss = step()
warm = time.perf_counter() - start
steps = median_time(9, 20, step)
y = torch.zeros(64, device='cuda')
adds = median_time(9, 10000, lambda: y.add_(1))
print(f'warm={warm * 1e9:.0f} step={steps * 1e9:.0f} add={adds * 1e9:.0f} loss={step().item():.6f}')
