import { useEffect, useState } from 'preact/hooks';

/** Returns the last defined value while a new one loads, so that the layout stays still. */
export const useStale = <T>(value: T | undefined): T | undefined => {
  const [stale, setStale] = useState(value);
  useEffect(() => {
    if (value !== undefined) setStale(value);
  }, [value]);
  return value ?? stale;
};
