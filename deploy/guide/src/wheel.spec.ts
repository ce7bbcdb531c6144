import AdmZip from 'adm-zip';
import { createHash } from 'node:crypto';
import { valueOf, WHEEL, wheel } from './wheel';

describe('the wheel of the Python client', () => {
  const entries = new Map(new AdmZip(wheel()).getEntries().map((entry) => [entry.entryName, entry.getData()]));
  const info = 'tire_inspection-0.1.0.dist-info';

  it('has the modules, and the name that pip expects of such a file', () => {
    expect(WHEEL).toBe('tire_inspection-0.1.0-py3-none-any.whl');
    for (const file of ['__init__.py', 'client.py', 'async_client.py', 'models.py', 'py.typed'])
      expect(entries.has(`tire_inspection/${file}`)).toBe(true);
    expect([...entries.keys()].filter((path) => /__pycache__|tests?\//.test(path))).toEqual([]);
  });

  it('lists every file with its digest and size', () => {
    const rows = entries.get(`${info}/RECORD`)!.toString().trim().split('\n').toSorted();
    const expected = [...entries]
      .filter(([path]) => path !== `${info}/RECORD`)
      .map(([path, bytes]) => `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`);
    expect(rows).toEqual([...expected, `${info}/RECORD,,`].toSorted());
  });

  it('requires what pyproject.toml requires', () => {
    const metadata = entries.get(`${info}/METADATA`)!.toString();
    expect(metadata).toMatch(/^Name: tire-inspection\nVersion: 0\.1\.0\n/m);
    expect(metadata).toContain('\nRequires-Python: >=3.10\nRequires-Dist: httpx>=0.23.3,<1\n');
  });

  it('reads values of the project only', () => {
    const pyproject = '[build-system]\nname = "other"\n\n[project]\nname = "client"\n\n[tool]\nversion = "9"\n';
    expect(valueOf(pyproject, 'name')).toBe('client');
    expect(() => valueOf(pyproject, 'version')).toThrow('has no project.version');
  });
});
