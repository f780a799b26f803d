/** The cost of one case in one design. */
import type { Measurement } from '../support/engine.ts';
import { median } from './functions/figures.ts';

export type Figures = Readonly<Record<FigureName, number>>;
type FigureName = 'readUnits' | 'writeUnits' | 'calls' | 'roundTrips' | 'bytes' | 'ms';

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const rounded = (number: number): number => Math.round(number * 10) / 10;

/** Mean units, because writes of different versions differ; the median time; the most round trips. */
export const figuresOf = (measured: readonly Measurement[]): Figures => {
  const all = (name: FigureName): number[] => measured.map((one) => one[name]);
  return {
    readUnits: rounded(mean(all('readUnits'))),
    writeUnits: rounded(mean(all('writeUnits'))),
    calls: rounded(mean(all('calls'))),
    roundTrips: Math.max(...all('roundTrips')),
    bytes: Math.round(mean(all('bytes'))),
    ms: rounded(median(all('ms'))),
  };
};
