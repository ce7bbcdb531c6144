export const STYLE = `
:root{color-scheme:light dark;--ink:#1b2530;--soft:#586675;--line:#dbe1e8;--ground:#fff;--raised:#f4f6f9;--link:#0b57b7;
--get:#0a6b3d;--post:#0b57b7;--delete:#b3261e;--good:#0a6b3d;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e4e9ef;--soft:#a3b0bd;--line:#2f3a46;--ground:#12181f;--raised:#1b232c;--link:#8ab8ff;
--get:#6fd39b;--post:#8ab8ff;--delete:#ff9a92;--good:#6fd39b;--bad:#ff9a92}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--ground)}
a{color:var(--link)}a:focus-visible,summary:focus-visible,pre:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem}
nav{padding:1rem;background:var(--raised);border-bottom:1px solid var(--line);font-size:.9rem}
nav p{margin:.9rem 0 .2rem;color:var(--soft);font-weight:600}nav ul{list-style:none;margin:0;padding:0}
nav a{display:flex;gap:.4rem;align-items:baseline;padding:.3rem 0;text-decoration:none;overflow-wrap:anywhere}nav a:hover{text-decoration:underline}
main{padding:1rem;max-width:64rem;min-width:0}
h1{margin:.2rem 0 1rem;line-height:1.2}h2{margin:3rem 0 1rem;padding-top:1rem;border-top:2px solid var(--line)}
h3{margin:1.6rem 0 .4rem;font-size:1.15rem;overflow-wrap:anywhere}h4{margin:1.4rem 0 .4rem;font-size:1rem}
section{padding:.2rem 0 1rem;border-bottom:1px solid var(--line)}section:target>h3{background:var(--raised)}
.summary{font-weight:600;margin:.3rem 0}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
:not(pre)>code{overflow-wrap:anywhere}
pre{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.8rem;margin:.5rem 0;font-size:.9rem;
overflow:auto;max-height:30rem}
.method{display:inline-block;flex:none;min-width:4.2em;line-height:inherit;font:700 .78em ui-monospace,Menlo,Consolas,monospace}
.method.get{color:var(--get)}.method.post{color:var(--post)}.method.delete{color:var(--delete)}
.status.good{color:var(--good)}.status.bad{color:var(--bad)}small{color:var(--soft)}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}
th{color:var(--soft);font-weight:600;white-space:nowrap}
td details{min-width:15rem}details{margin:.3rem 0}summary{cursor:pointer;padding:.25rem 0}
@media(max-width:44rem){
thead{position:absolute;left:-99rem}
table,tbody,tr,td{display:block;width:100%}tr{border-bottom:1px solid var(--line);padding:.5rem 0}
td{border:0;padding:.1rem 0}td:empty{display:none}
td:not(:first-child)::before{content:attr(data-head) ": ";color:var(--soft);font-size:.85em}}
@media(min-width:44rem){td:first-child:not(:has(.status)){min-width:12rem}}
@media(min-width:64rem){body{display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;border-bottom:0;border-right:1px solid var(--line)}main{padding:1rem 2.5rem 4rem}}
@media print{nav{display:none}pre{max-height:none;white-space:pre-wrap}}
`;
