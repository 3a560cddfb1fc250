// Decides whether the service can be reached: yes only when it says so itself.

export type Health = 'asking' | 'up' | 'unreachable';

export const healthWords: Record<Health, string> = {
  asking: 'Asking the service…',
  up: 'Service is up',
  unreachable: 'Service not reachable',
};

const patienceMs = 5_000;

export async function askHealth(fetcher: typeof fetch = fetch): Promise<Health> {
  try {
    const answer = await fetcher('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) });
    if (!answer.ok) return 'unreachable';
    const body: unknown = await answer.json();
    const ok = typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
    return ok ? 'up' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
