// Animated end of a round, at most four seconds: the dealer turns, qualifies or not, the hands are named, each spot
// is tagged, the chips move, the balance counts. The next round may interrupt it at any time.

export const stages = ['none', 'turn', 'dealer', 'hands', 'trips', 'ante', 'blind', 'play', 'chips', 'done'] as const;
export type Stage = (typeof stages)[number];

const startsMs: Record<Exclude<Stage, 'none'>, number> = {
  turn: 0,
  dealer: 600,
  hands: 1_500,
  trips: 2_200,
  ante: 2_400,
  blind: 2_600,
  play: 2_800,
  chips: 3_100,
  done: 3_700,
};

export class SettlementReveal {
  stage = $state<Stage>('none');
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(private readonly onDone: () => void) {}

  has(stage: Stage): boolean {
    return stages.indexOf(this.stage) >= stages.indexOf(stage);
  }

  get isRunning(): boolean {
    return this.stage !== 'none' && this.stage !== 'done';
  }

  begin(): void {
    this.#stop();
    for (const [stage, ms] of Object.entries(startsMs) as [Stage, number][]) {
      this.#timers.push(setTimeout(() => this.#reach(stage), ms));
    }
    this.stage = 'turn';
  }

  /** Shows everything at once, for players who arrive after the end. */
  tellAll(): void {
    this.#stop();
    this.#reach('done');
  }

  clear(): void {
    const wasRunning = this.isRunning;
    this.#stop();
    this.stage = 'none';
    if (wasRunning) this.onDone();
  }

  #reach(stage: Stage): void {
    this.stage = stage;
    if (stage === 'done') this.onDone();
  }

  #stop(): void {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
  }
}
