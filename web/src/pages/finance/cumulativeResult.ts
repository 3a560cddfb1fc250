// Cumulative result of the house and the expected one, from the first day of the period on.
import type { Line } from './api';
import { secondsAt } from './periods';

export const sigmasMax = 3;

/** One value for each day. What is not known yet is null, and so is everything after it. */
export interface Run {
  at: number[];
  result: number[];
  expected: (number | null)[];
  deviation: (number | null)[];
}

export function runOf(lines: readonly Line[]): Run {
  const run: Run = { at: [], result: [], expected: [], deviation: [] };
  let result = 0;
  let expected: number | null = 0;
  let variance: number | null = 0;
  for (const line of lines) {
    result += line.house_result;
    const [more, deviation]: [number | null, number | null] = [line.expected_house_result, line.standard_deviation];
    expected = expected === null || more === null ? null : expected + more;
    variance = variance === null || deviation === null ? null : variance + deviation ** 2;
    run.at.push(secondsAt(line.key));
    run.result.push(result);
    run.expected.push(expected);
    run.deviation.push(variance === null ? null : Math.sqrt(variance));
  }
  return run;
}

/** Edge of the band at this number of deviations. */
export function edge(run: Run, sigmas: number): (number | null)[] {
  return run.expected.map((expected, day) => {
    const deviation = run.deviation[day] ?? null;
    return expected === null || deviation === null ? null : expected + sigmas * deviation;
  });
}
