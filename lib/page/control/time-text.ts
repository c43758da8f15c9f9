// Simulation time as people read it.

/** 1234.56 → `1,234.56`; two digits behind the point, so that it does not jump. */
export function timeText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const [whole = '', part = ''] = Math.abs(seconds).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return `${seconds < 0 ? '−' : ''}${grouped}.${part}`;
}
