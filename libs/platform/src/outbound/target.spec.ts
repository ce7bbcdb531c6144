import { isNeverPublic } from './target';

const never = (address: string, ...allowed: string[]) => isNeverPublic(new URL(address), new Set(allowed));

describe('an address that no look-up can make public', () => {
  it.each([
    ['https://10.1.2.3/a.jpg'],
    ['https://0x0a.1.2.3/a.jpg'],
    ['https://2130706433/'],
    ['https://127.1/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://[::1]:8443/'],
    ['https://[::ffff:10.0.0.1]/'],
    ['https://[fd00:ec2::254]/'],
    ['https://localhost/'],
    ['https://a.LOCALHOST./'],
  ])('%s', (address) => {
    expect(never(address)).toBe(true);
  });

  it.each([
    ['https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/'],
    ['https://images.example/10.0.0.1'],
    ['https://10.0.0.1.images.example/'],
    ['https://localhost.images.example/'],
  ])('is not %s', (address) => {
    expect(never(address)).toBe(false);
  });

  it('is not one that is allowed for development, by its whole origin', () => {
    expect(never('https://127.0.0.1:8443/a.jpg', 'https://127.0.0.1:8443')).toBe(false);
    expect(never('https://127.0.0.1:8444/a.jpg', 'https://127.0.0.1:8443')).toBe(true);
  });
});
