const objects=JSON.parse(document.getElementById("data").textContent);
const box=document.getElementById("object"),points=[...document.querySelectorAll("circle[data-i]")];
const show=i=>{const [name,object,label]=objects[i];box.replaceChildren();
for(const [term,text] of [["Object",name],["Class",label],["Content",object]]){if(text===null||text===undefined)continue;
const dt=document.createElement("dt"),dd=document.createElement("dd");dt.textContent=term;dd.textContent=text;box.append(dt,dd);}
points.forEach(p=>p.classList.toggle("on",p.dataset.i==i));};
points.forEach(p=>["pointerenter","focus","click"].forEach(e=>p.addEventListener(e,()=>show(p.dataset.i))));
document.getElementById("find").addEventListener("input",e=>{const q=e.target.value.toLowerCase();
points.forEach(p=>p.classList.toggle("off",q!==""&&!objects[p.dataset.i].some(t=>t!==null&&String(t).toLowerCase().includes(q))));});
