/** One style sheet, in the page: a phone on a slow net makes one request less. Its hash stands in the Content-Security-Policy. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--text:#1a1d21;--muted:#56606b;--line:#dfe3e8;
--good:#0a6b3d;--good-bg:#e3f4ea;--caution:#7a4a00;--caution-bg:#fdf0d5;--critical:#a3121f;--critical-bg:#fde5e6;--unknown:#47505a;--unknown-bg:#e8ebee}
@media (prefers-color-scheme:dark){:root{--bg:#121417;--card:#1c2025;--text:#eef1f4;--muted:#a8b2bd;--line:#343a42;
--good:#7fdba6;--good-bg:#12341f;--caution:#f6c773;--caution-bg:#3b2b0a;--critical:#ff9a9f;--critical-bg:#431619;--unknown:#c2cad3;--unknown-bg:#2a3038}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.6 system-ui,"Apple SD Gothic Neo","Noto Sans KR","Malgun Gothic",sans-serif;word-break:keep-all;overflow-wrap:anywhere}
main{max-width:44rem;margin:0 auto;padding:1rem}
h1{font-size:1.35rem;line-height:1.35;margin:.5rem 0}
h2{font-size:1.1rem;margin:0}
h3{font-size:1rem;margin:0}
p{margin:.5rem 0}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:0 0 1rem}
.head{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;justify-content:space-between}
.badge{border-radius:1rem;padding:.1rem .7rem;font-weight:600;font-size:.9rem;border:1px solid currentColor}
.good{color:var(--good);background:var(--good-bg)}.caution{color:var(--caution);background:var(--caution-bg)}
.critical{color:var(--critical);background:var(--critical-bg)}.unknown{color:var(--unknown);background:var(--unknown-bg)}
.muted{color:var(--muted);font-size:.9rem}
.tires{list-style:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.75rem;padding:0;margin:.75rem 0 0}
.tires li{border:1px solid var(--line);border-radius:.6rem;padding:.75rem}
.depth{font-size:1.5rem;font-weight:700;margin:.25rem 0}
.bars{margin:.75rem 0}.bars svg{width:100%;height:.9rem;display:block}.bars rect{fill:var(--muted)}.bars .now{fill:var(--critical)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:.5rem 0}dt{color:var(--muted)}dd{margin:0}
.photos{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.75rem}
figure{margin:0}figcaption{font-size:.9rem;padding-top:.25rem}
.photo{aspect-ratio:1;container-type:size;overflow:hidden;display:grid;place-items:center;background:var(--unknown-bg);border-radius:.6rem}
.turn{position:relative}.turn img{display:block;max-width:100cqw;max-height:100cqh}
.turn svg{position:absolute;inset:0;width:100%;height:100%}
.turn polygon{fill:#ffd54a;fill-opacity:.35;stroke:#ffd54a;stroke-width:2;vector-effect:non-scaling-stroke}
@media print{body{background:#fff}section,.card{break-inside:avoid;border-color:#999}}
`;
