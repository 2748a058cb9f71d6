# Runs parts of a program one after another: what fails is one line, and the others still run.
import sys, time


def attempt(name, part, *arguments):
    start = time.time()
    try:
        result = part(*arguments)
        print(f'{name}: {result} ({time.time() - start:.1f} s)')
    except Exception as error:
        lines = str(error).strip().splitlines()
        print(f'{name}: FAILED {type(error).__name__} {lines[-1][:160] if lines else ""}')
    sys.stdout.flush()
