const objects=JSON.parse(document.getElementById("data").textContent);
const box=document.getElementById("object"),points=[...document.querySelectorAll("circle[data-i]")];
const show=i=>{const [name,object,label]=objects[i];box.replaceChildren();
for(const [term,text] of [["Object",name],["Class",label],["Content",object]]){if(text===null||text===undefined)continue;
const dt=document.createElement("dt"),dd=document.createElement("dd");dt.textContent=term;dd.textContent=text;box.append(dt,dd);}
points.forEach(p=>p.classList.toggle("on",p.dataset.i==i));};
points.forEach(p=>["pointerenter","focus","click"].forEach(e=>p.addEventListener(e,()=>show(p.dataset.i))));
document.getElementById("find").addEventListener("input",e=>{const q=e.target.value.toLowerCase();
points.forEach(p=>p.classList.toggle("off",q!==""&&!objects[p.dataset.i].some(t=>t!==null&&String(t).toLowerCase().includes(q))));});
// Zoom by wheel or buttons about a point, drag to move, double click for the whole.
const map=document.querySelector("svg.map"),whole=map.getAttribute("viewBox").split(" ").map(Number);let view=[...whole];
const look=()=>{map.setAttribute("viewBox",view.join(" "));const r=5*Math.max(view[2]/whole[2],.25);points.forEach(p=>p.setAttribute("r",r));};
const zoom=(factor,x,y)=>{const width=Math.min(whole[2],Math.max(whole[2]/40,view[2]*factor)),scale=width/view[2];
view=[x-(x-view[0])*scale,y-(y-view[1])*scale,width,view[3]*scale];if(width===whole[2])view=[...whole];look();};
const at=e=>{const box=map.getBoundingClientRect();return [view[0]+(e.clientX-box.left)/box.width*view[2],view[1]+(e.clientY-box.top)/box.height*view[3]];};
map.addEventListener("wheel",e=>{e.preventDefault();zoom(e.deltaY>0?1.25:.8,...at(e));},{passive:false});
let from=null;map.addEventListener("pointerdown",e=>{from=at(e);});addEventListener("pointerup",()=>{from=null;});
map.addEventListener("pointermove",e=>{if(!from||e.buttons===0)return;const to=at(e);view[0]+=from[0]-to[0];view[1]+=from[1]-to[1];look();});
map.addEventListener("dblclick",()=>{view=[...whole];look();});
const middle=()=>[view[0]+view[2]/2,view[1]+view[3]/2];
document.getElementById("nearer").addEventListener("click",()=>zoom(.7,...middle()));
document.getElementById("farther").addEventListener("click",()=>zoom(1.4,...middle()));
// A class of the legend hides and shows its points.
const hidden=new Set();document.querySelectorAll(".classes button").forEach(b=>b.addEventListener("click",()=>{
const c=b.dataset.class;hidden.has(c)?hidden.delete(c):hidden.add(c);b.setAttribute("aria-pressed",String(!hidden.has(c)));
points.forEach(p=>p.classList.toggle("gone",hidden.has(p.dataset.class)));}));
