/**
 * Sums by span of time, and within how many milliseconds a share of all was answered. `counted`: a query of `span`,
 * `duration_ms`, `count` and the columns of `sums`, a row for each duration of a span: of a million answers there are
 * some thousand. Span -1 is all of them together. `sums`: names of the answer by columns of `counted`; `shares`: shares
 * by names of the answer.
 */
export function sumsBySpan(
  counted: string,
  sums: Readonly<Record<string, string>>,
  shares: Readonly<Record<string, number>>,
): string {
  const added = Object.keys(sums).filter((column) => column !== 'count');
  const columns = [
    ...Object.entries(sums).map(([column, name]) => `sum(${column})::integer AS "${name}"`),
    ...Object.entries(shares).map(
      ([name, share]) => `min(duration_ms) FILTER (WHERE upto >= whole * ${share}) AS "${name}"`,
    ),
  ];
  return `
    WITH counted AS (${counted}), every AS (
      SELECT span, duration_ms, ${['count', ...added].join(', ')} FROM counted
      UNION ALL SELECT -1, duration_ms, ${['count', ...added].map((column) => `sum(${column})`).join(', ')}
        FROM counted GROUP BY duration_ms
    ), ranked AS (
      SELECT *, sum(count) OVER (PARTITION BY span ORDER BY duration_ms) AS upto,
             sum(count) OVER (PARTITION BY span) AS whole
        FROM every
    )
    SELECT span, ${columns.join(', ')} FROM ranked GROUP BY span ORDER BY span`;
}
