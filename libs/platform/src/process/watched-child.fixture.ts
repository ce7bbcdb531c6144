// A child that does what its messages name.
process.on('message', (what: string) => {
  if (what === 'burn') for (;;);
  if (what === 'wait') setTimeout(() => process.send?.('waited'), 500);
  if (what === 'grow') Buffer.alloc(400 * 1024 * 1024, 1);
  // eslint-disable-next-line no-restricted-properties -- what the child got is what is tested
  if (what === 'env') process.send?.(Object.keys(process.env).join());
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
