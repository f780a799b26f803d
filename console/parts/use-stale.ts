import { useEffect, useState } from 'preact/hooks';

/** What was answered last, while it is asked for anew: nothing jumps, and nothing blinks. */
export const useStale = <T>(value: T | undefined): T | undefined => {
  const [kept, setKept] = useState(value);
  useEffect(() => {
    if (value !== undefined) setKept(value);
  }, [value]);
  return value ?? kept;
};
