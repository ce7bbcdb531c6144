const call = async (method, path, body) => {
  const response = await fetch(process.env.API_URL + path, {
    method,
    headers: { authorization: `Bearer ${process.env.API_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
};

(async () => {
  const { report_id, upload_targets } = await call('POST', '/reports', { template: 'tire_4t_0s' });
  if (upload_targets.length !== 4) throw new Error(`${upload_targets.length} upload targets, not 4`);
  const report = await call('GET', `/reports/${report_id}`);
  if (report.analysis_status !== 'awaiting_images') throw new Error(`the report is ${report.analysis_status}`);
  console.log(`report ${report_id}: created with four upload targets and read again`);
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
